// Accounts: how one signs in here, and who is signed in. Where they are off, nothing of it is shown.
import { get } from '../lib/api'

export interface Standing {
  on: boolean
  passwords: boolean
  provider: string
  open: boolean
  name: string
  owner: boolean
  has_password: boolean
  devices: number
  tables: { campaign: string; story: string; name: string; character: string; role: string; host: boolean }[]
}
const OFF: Standing = { on: false, passwords: false, provider: '', open: false, name: '', owner: false, has_password: false, devices: 0, tables: [] }
const BACK = 'back-from-provider'

export const standing = () => get<Standing>('/account').catch(() => OFF)

/** The page that one leaves for the provider, and comes back to once. */
export const leaveFrom = (hash: string) => sessionStorage.setItem(BACK, hash)
export function cameFrom(): string {
  const hash = sessionStorage.getItem(BACK) ?? ''
  sessionStorage.removeItem(BACK)
  return hash.startsWith('#/') ? hash : ''
}
