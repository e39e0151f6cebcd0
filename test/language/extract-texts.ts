import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { findSql } from './sql-texts.ts';

/** A text that a person reads, with its place. */
interface Text {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const SOURCES = ['src/**/*.{ts,tsx}', 'adapters/**/*.ts', 'sandbox/**/*.ts', 'bin/*.mjs'];
const NOT_SHOWN = ['sandbox/test/**', 'sandbox/social/generated-*.ts', 'sandbox/world/**', 'sandbox/**/view/**'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'];
const RULES = ['rules/*.yaml', 'fanfare.yaml', 'docs/guides/**/*.yaml'];

/** Every text for people: messages and help in the sources, documentation, and the comments and test names of rules. */
export function extractTexts(): readonly Text[] {
  const sources = globSync(SOURCES, { exclude: NOT_SHOWN }).flatMap((file) => sourceTexts(file));
  const pages = globSync(PAGES, { exclude: ['docs/.vitepress/**'] }).flatMap((file) => pageTexts(file));
  const rules = globSync(RULES).flatMap((file) => ruleTexts(file));
  return [...sources, ...pages, ...rules].map((one) => ({ ...one, file: one.file.replaceAll('\\', '/') }));
}

/** String literals with several words, without SQL. Expressions in a template are written as `…`. */
function sourceTexts(file: string): readonly Text[] {
  const source = readFileSync(file, 'utf8');
  const lineOf = linesOf(source);
  const { program } = parseSync(file, source);
  const isSql = findSql(program);
  const texts: Text[] = [];
  const add = (start: number, text: string): void => {
    if (isProse(text) && !isSql(start)) texts.push({ file, line: lineOf(start), text: text.replaceAll(/\s+/gu, ' ').trim() });
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateLiteral(node) {
      add(node.start, node.quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
    JSXText(node) {
      add(node.start, node.value);
    },
  }).visit(program);
  return texts;
}

const NOT_PROSE = /[{};]\s*$|^\s*</u;

function isProse(text: string): boolean {
  return /\p{L}{2,}[^\p{L}]* \p{L}{1,}/u.test(text) && !NOT_PROSE.test(text);
}

/** Paragraphs and list items without code blocks. */
function pageTexts(file: string): readonly Text[] {
  let isCode = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (/^\s*(?:```|~~~)/u.test(text)) isCode = !isCode;
      return isCode || !isProse(text) ? [] : [{ file, line: index + 1, text: text.trim() }];
    });
}

/** The first paragraph of each page of the documentation. */
export function pageOpenings(): readonly Text[] {
  return globSync('docs/**/*.md', { exclude: ['docs/.vitepress/**'] }).flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const heading = lines.findIndex((line) => line.startsWith('# '));
    const at = lines.findIndex((line, index) => index > heading && /^[\p{L}*`[]/u.test(line));
    return heading < 0 || at < 0 ? [] : [{ file: file.replaceAll('\\', '/'), line: at + 1, text: lines[at] ?? '' }];
  });
}

/** Comments, and the names of test cases. */
function ruleTexts(file: string): readonly Text[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const found = /(?:^|\s)# (.*)$|^ *- it: (.*)$|^about: (.*)$/u.exec(text);
      const prose = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
      return isProse(prose) ? [{ file, line: index + 1, text: prose }] : [];
    });
}

function linesOf(source: string): (offset: number) => number {
  return (offset) => source.slice(0, offset).split('\n').length;
}
