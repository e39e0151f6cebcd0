const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/gu;

/** A text without the characters that reorder the text after it, even outside a `bdi`. */
export function withoutDirectionControls(text: string): string {
  return text.replaceAll(DIRECTION_CONTROLS, '');
}
