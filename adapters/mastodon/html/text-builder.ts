/** Text that grows piece by piece, with the breaks that blocks make between its lines. */
export class TextBuilder {
  /** Up to where the last piece began: it is only ever added to, since reading a text that grows costs as much as all of it. */
  #before = '';
  #piece = '';
  #breaks = 0;
  #isSpaced = false;
  #isLineBegun = false;

  /** Begins a piece; the offset at which it does. */
  begin(): number {
    this.#settle();
    this.#before += this.#piece;
    this.#piece = '';
    return this.#before.length;
  }

  /** What was said since the last piece began. */
  get piece(): string {
    return this.#piece;
  }

  get text(): string {
    return this.#before + this.#piece;
  }

  /** A block begins or ends: what follows stands at least `lines` further down, if anything follows. */
  separate(lines: 1 | 2): void {
    if (this.#before !== '' || this.#piece !== '') this.#breaks = Math.max(this.#breaks, lines);
  }

  newLine(): void {
    this.#settle();
    this.#piece += '\n';
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
    this.#piece += text;
    this.#isLineBegun = true;
  }

  /** Takes back what was said since the last piece began, and says `text` instead. */
  replace(text: string): void {
    this.#piece = text;
  }

  #settle(): void {
    if (this.#breaks > 0) this.#piece += '\n'.repeat(this.#breaks);
    else if (this.#isSpaced) this.#piece += ' ';
    this.#breaks = 0;
    this.#isSpaced = false;
  }
}
