import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';

/** The examples in a YAML file beside its page. */
export function readExamples<S extends z.ZodType>(file: URL, schema: S): z.output<S> {
  return schema.parse(parse(readFileSync(file, 'utf8')));
}

/** A table. Line breaks, bars and angle brackets in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** The non-empty parts, separated by empty lines. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** A page of the documentation: its front matter, its heading and its parts. */
export function page(
  { title, order }: { readonly title: string; readonly order: number },
  ...parts: readonly (string | undefined)[]
): string {
  const frontMatter = `---\ntitle: ${JSON.stringify(title)}\norder: ${order}\n---`;
  return `${paragraphs(frontMatter, GENERATED, `# ${title}`, ...parts)}\n`;
}

const GENERATED = '<!-- Written by `npm run docs` from the source. -->';

/** The first paragraph of a text, as one line. */
export function firstParagraph(text: string): string {
  return (text.split('\n\n')[0] ?? '').replaceAll('\n', ' ');
}

function cell(text: string): string {
  const escaped = text.replace(/(`[^`]*`|<br>)|</gu, (_, span?: string) => span ?? '&lt;');
  return escaped.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

/** The front matter of a page. Pages with a lower order come first in the navigation. */
export function frontMatter(title: string, order?: number): string {
  return ['---', `title: ${title}`, ...(order === undefined ? [] : [`order: ${order}`]), '---'].join('\n');
}

/** The anchor of a heading in its page. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
