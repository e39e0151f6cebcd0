/** What covers a post or its media until a reader wants to see them. */
export interface ContentWarning {
  readonly warning?: string | undefined;
  readonly sensitive?: boolean | undefined;
}

/** The kinds of sensitive media that platforms distinguish, with the warning that names each. */
const SENSITIVE_MEDIA = {
  suggestive: 'Sexually suggestive',
  nudity: 'Nudity',
  adult: 'Adult content',
  graphic: 'Graphic media',
} as const;
export type SensitiveMedia = keyof typeof SENSITIVE_MEDIA;

const KINDS = new Map(Object.entries(SENSITIVE_MEDIA).map(([kind, name]) => [name.toLowerCase(), kind as SensitiveMedia])); // the keys of the literal

/** The kinds that a warning names, for example `Nudity, Graphic media`; undefined if it has any other text. */
export function sensitiveMediaIn(warning: string | undefined): readonly SensitiveMedia[] | undefined {
  const kinds = warning?.split(',').map((name) => KINDS.get(name.trim().toLowerCase()));
  return kinds?.every((kind) => kind !== undefined) ? kinds : undefined;
}

/** The warning that names the kinds; undefined without any. */
export function warningOf(kinds: Iterable<SensitiveMedia>): string | undefined {
  return [...new Set(kinds)].map((kind) => SENSITIVE_MEDIA[kind]).join(', ') || undefined;
}

/** Whether readers see the media only after a click. A warning also covers the media, as on Mastodon. */
export function coversMedia({ warning, sensitive }: ContentWarning): boolean {
  return sensitive ?? warning !== undefined;
}

/** The space between a warning and the text. */
export const WARNING_GAP = '\n\n';

/** The text behind its warning, as platforms without warnings show it. The text of a copied post can begin with the warning already. */
export function textBehind(warning: string | undefined, text: string): string {
  const rest = textWithout(warning, text);
  if (warning === undefined) return rest;
  return rest === '' ? warning : `${warning}${WARNING_GAP}${rest}`;
}

/** The text without a warning in front of it. Platforms remove the spaces around a text. */
export function textWithout(warning: string | undefined, text: string): string {
  const shown = text.trimStart();
  if (warning === undefined || !shown.startsWith(warning)) return text;
  const rest = shown.slice(warning.length);
  if (rest.trim() === '') return '';
  return rest.startsWith(WARNING_GAP) ? rest.slice(WARNING_GAP.length) : text;
}
