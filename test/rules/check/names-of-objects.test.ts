import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { check } from '../../support/rule-language.ts';

/** Names that each JavaScript object has. A table that is an object has a value for each of them. */
const NAMES = ['constructor', '__proto__'];

const FILES = globSync('rules/*.yaml', { exclude: ['rules/*.test.yaml'] }).toSorted();

/** Copies of a file in each of which one key or value is `name`. */
function* replaced(source: string, name: string): Generator<string> {
  for (let wanted = 0; ; wanted++) {
    const document = parseDocument(source);
    let index = 0;
    visit(document, {
      Scalar(_key, node) {
        if (index++ !== wanted) return undefined;
        node.value = name;
        return visit.BREAK;
      },
    });
    if (index <= wanted) return;
    yield document.toString();
  }
}

test.for(FILES)('names of properties of objects, as keys and values of %s, are checked as other text', (file) => {
  const source = readFileSync(file, 'utf8');

  for (const name of NAMES)
    for (const text of replaced(source, name))
      for (const { message, hint = '' } of check(text).diagnostics)
        expect(`${message}: ${hint}`).not.toMatch(/native code|\[object|undefined/u);
});
