// One line at the foot of the page, and one for screen readers.
class Notice {
  text = $state('')
  wrong = $state(false)
  spoken = $state('')
  private timer = 0

  tell(text: string, wrong = false) {
    clearTimeout(this.timer)
    this.text = text
    this.wrong = wrong
    if (text && !wrong) this.timer = window.setTimeout(() => (this.text = ''), 5000)
  }

  /** Said by a screen reader, not shown. */
  say(text: string) {
    this.spoken = text
  }
}

export const notice = new Notice()
