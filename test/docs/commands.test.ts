import { expect, test } from 'vitest';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { commandsIn, wordsAfterStart } from './commands.ts';
import { pageFiles } from './pages.ts';

const fanfare = await program(['node', 'fanfare'], terminal(process));
for (const command of [fanfare, ...fanfare.commands])
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
for (const command of fanfare.commands) command.action(() => undefined);

/** The error in the arguments of a command. Undefined if the command line accepts them. */
async function mistakeIn(words: readonly string[]): Promise<string | undefined> {
  try {
    await fanfare.parseAsync([...words], { from: 'user' });
  } catch (error) {
    const { code = '', message } = error as { readonly code?: string; readonly message: string }; // the parser throws errors only
    // A name without arguments is a mention, and a name in angle brackets is a placeholder.
    const isMention = words.length === 1 && /missing(?:Argument|MandatoryOptionValue)$/iu.test(code);
    if (!isMention && !/^commander\.(?:help|version)/u.test(code) && !/argument '<.*' is invalid/u.test(message)) return message;
  }
  return undefined;
}

test.for(pageFiles())('the commands in %s exist, with their options and arguments', async (file) => {
  const mistakes: string[] = [];
  for (const { line, words } of commandsIn(file)) {
    const mistake = await mistakeIn(words);
    if (mistake !== undefined) mistakes.push(`${file}:${line}: fanfare ${words.join(' ')}: ${mistake}`);
  }

  expect(mistakes).toEqual([]);
});

test('pages show many commands', () => {
  expect(pageFiles().flatMap(commandsIn).length).toBeGreaterThan(300);
});

test.for([
  ['npx fanfare rules publish', 'command-argument value'],
  ['npx fanfare chekc', 'unknown command'],
  ['npx fanfare start --rol worker', 'unknown option'],
  ['npx fanfare pause', ''],
  ['npx fanfare replay --since 7d', 'missing required argument'],
  ['PORT=8090 npx fanfare preview "my rule" # with the sandbox', ''],
  ['fanfare start --role <role> && echo started', ''],
] as const)('%s: %s', async ([code, mistake]) => {
  const [words = []] = wordsAfterStart(code);

  expect(words.length).toBeGreaterThan(0);
  expect((await mistakeIn(words)) ?? '').toMatch(new RegExp(mistake === '' ? '^$' : `^error: ${mistake}`, 'u'));
});
