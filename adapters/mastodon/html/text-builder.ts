/** Text that grows piece by piece, with the breaks that blocks make between its lines. */
export class TextBuilder {
  #text = '';
  #breaks = 0;
  #isSpaced = false;
  #isLineBegun = false;

  /** Where the next piece begins. */
  begin(): number {
    this.#settle();
    return this.#text.length;
  }

  get text(): string {
    return this.#text;
  }

  /** A block begins or ends: what follows stands at least `lines` further down, if anything follows. */
  separate(lines: 1 | 2): void {
    if (this.#text !== '') this.#breaks = Math.max(this.#breaks, lines);
  }

  newLine(): void {
    this.#settle();
    this.#text += '\n';
    this.#isLineBegun = false;
  }

  /** Text as it stands between tags, where the end of a line in the source is a space, and none beside a break. */
  say(text: string): void {
    const atEdge = !this.#isLineBegun || this.#breaks > 0;
    const lined = atEdge ? text.replace(/^[ \t]*\n\s*/u, '') : text;
    const words = lined.trimEnd();
    const isLined = lined.slice(words.length).includes('\n');
    const said = (isLined ? words : lined).replace(/\s+/gu, (gap) => (gap.includes('\n') ? ' ' : gap));
    if (said !== '') this.add(said);
    this.#isSpaced ||= isLined && (said !== '' || !atEdge);
  }

  /** Text letter for letter. */
  add(text: string): void {
    this.#settle();
    this.#text += text;
    this.#isLineBegun = true;
  }

  /** Takes back what was said from `start` on, and says `text` instead. */
  replaceFrom(start: number, text: string): void {
    this.#text = this.#text.slice(0, start) + text;
  }

  #settle(): void {
    if (this.#breaks > 0) this.#text += '\n'.repeat(this.#breaks);
    else if (this.#isSpaced) this.#text += ' ';
    this.#breaks = 0;
    this.#isSpaced = false;
  }
}
