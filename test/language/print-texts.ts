import { extractTexts } from './extract-texts.ts';

// Prints every text for people: node test/language/print-texts.ts
for (const { file, line, text } of extractTexts()) console.log(`${file}:${line}: ${text}`);
