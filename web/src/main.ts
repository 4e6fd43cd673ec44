// Starts the app.
import { mount } from 'svelte'
import App from './App.svelte'
import './fonts.css'
import './look.css'
import './palettes.css'

mount(App, { target: document.getElementById('app')! })
