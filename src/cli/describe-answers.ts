import type { Command } from 'commander';
import type { z } from 'zod';
import { answerOf } from './answering.ts';

/** The forms of the JSON that the commands of a program print, by command. */
export function describeAnswers({ commands }: Command): ReadonlyMap<string, z.ZodType> {
  return new Map(
    commands.flatMap((command) => {
      const answer = answerOf(command);
      return answer ? [[command.name(), answer] as const] : [];
    }),
  );
}
