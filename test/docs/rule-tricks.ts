import { parse } from 'yaml';
import { z } from 'zod';

const Uses = z.looseObject({ with: z.looseObject({ channel: z.unknown().optional(), name: z.unknown().optional() }).optional() });
const Step = Uses.extend({ do: z.string().optional() });
const Steps = z.array(Step).optional();
const File = z.looseObject({
  when: Uses.extend({ watch: z.string().optional() }),
  then: Steps,
  while: Steps,
  finally: Steps,
  quiet: z.looseObject({ then: Steps }).optional(),
});

/** Messages that a rule sends to a channel. */
const SENDS = new Set(['discord.send', 'discord.put', 'discord.ask']);

/** The detours by which a rule stores something in Discord, because the language has no place for it. */
export function tricksOf(source: string): readonly string[] {
  const { when, ...lists } = File.parse(parse(source));
  const steps = [...(lists.then ?? []), ...(lists.while ?? []), ...(lists.finally ?? []), ...(lists.quiet?.then ?? [])];
  const sentTo = new Set(steps.filter((step) => SENDS.has(step.do ?? '')).map((step) => step.with?.channel));
  const reads = [{ ...when, do: when.watch }, ...steps].filter((step) => step.do === 'discord.getMessages');
  const isComputed = (name: unknown): boolean => /\$\{\{(?!\s*(?:each|vars)\.)/u.test(String(name));
  return [
    ...(steps.some((step) => step.do === 'discord.put' && isComputed(step.with?.name)) ? ['discord.put with a computed name'] : []),
    ...(reads.some((step) => sentTo.has(step.with?.channel)) ? ['a Discord channel as storage'] : []),
  ];
}
