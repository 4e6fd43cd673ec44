// Builds the web app into the Python package; in development, passes the API on to a running server.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env.FREEFORM_SERVER ?? 'http://127.0.0.1:8765'

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../src/freeform/apps/web/static',
    emptyOutDir: true,
    assetsInlineLimit: 0, // a data: address would need a wider content security policy
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What home and table both draw is one file, and ELK one of its own: else a word that two rooms share drags in
      // whichever room the bundler put it.
      output: { codeSplitting: { groups: [{ name: 'elk', test: /elkjs/ }, { name: 'drawn', test: /src\/(lib\/(prose|seed|telling\.svelte)\.ts|art\/(Portrait|portrait|genre)|parts\/(Clock|Prose|Dialog|Tabs)\.)/ }] } },
    },
    manifest: true, // what each view fetches; scripts/weigh.mjs reads it
  },
  server: { proxy: { '/api': server } },
})
