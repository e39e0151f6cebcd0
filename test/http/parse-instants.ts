// Runs in a process with a time zone: reads texts from the standard input, and writes their instants.
import { text } from 'node:stream/consumers';
import { parseInstant } from '#src/http/parse-instant.ts';

const texts = JSON.parse(await text(process.stdin)) as readonly string[]; // as parse-instant.properties.test.ts writes them
process.stdout.write(JSON.stringify(texts.map((one) => parseInstant(one)?.toISOString() ?? null)));
