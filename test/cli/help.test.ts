import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { documentationOf } from '#src/cli/document.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';

const fanfare = await program(['node', 'fanfare'], terminal(process));

function help(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const pages = [fanfare, ...fanfare.commands].map((command) => [command.name(), help(command)] as const);

describe('the help', () => {
  test.for(pages)('of %s has at most 80 columns', ([, text]) => {
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.for(fanfare.commands.map((command) => [command.name(), command] as const))('of %s fits into 60 columns', ([, command]) => {
    const help = command.createHelp();
    const text = command.createHelp().formatHelp(command, Object.assign(help, { helpWidth: 60 }));

    expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });

  test.for(pages.slice(1))('of %s has an example and the exit codes', ([name, text]) => {
    expect(text).toMatch(new RegExp(`^Examples:\\n(  # .*\\n)?  fanfare ${name}`, 'mu'));
    expect(text).toMatch(/^Exit codes:\n {2}0 /mu);
  });

  test.for(pages)('of %s has no empty part', ([, text]) => {
    expect(text).not.toMatch(/\n\n\n/u);
    expect(text).not.toMatch(/undefined|\[object/u);
  });

  test('lists each command in a group, with a summary on one line', () => {
    const list = pages[0]?.[1] ?? '';
    for (const command of fanfare.commands) {
      expect(list).toMatch(new RegExp(`^  ${command.name()} +${command.summary()}$`, 'mu'));
      expect(documentationOf(command).group).not.toBe('');
      expect(command.summary()).toMatch(/^[A-Z].*[^.]$/u);
      expect(command.description()).toMatch(/^[A-Z][^]*\.$/u);
    }
    expect(list).not.toMatch(/^Commands:$/mu);
  });

  test('starts the meaning of each argument and option with a capital letter', () => {
    const texts = [fanfare, ...fanfare.commands].flatMap(({ options, registeredArguments }) =>
      [...options, ...registeredArguments].map(({ description }) => description),
    );

    expect(texts.filter((text) => !/^[A-Z].*[^.]$/u.test(text))).toEqual([]);
  });
});
