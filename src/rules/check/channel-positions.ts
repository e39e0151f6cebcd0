import { channelUse, type ChannelPosition } from '#src/rules/rule.ts';
import type { StepDraft, WhenDraft } from '#src/rules/grammar/rule-file.ts';
import type { CheckContext } from './check-context.ts';
import { intern } from './intern.ts';
import type { PlacedStep } from './place-steps.ts';
import type { Path } from '#src/rules/document/report.ts';

/** The positions of the channels and roles that a rule names, by verb and name as the file has them; undefined if it names none. */
export function channelPositions(
  { when, placed }: { readonly when: WhenDraft; readonly placed: readonly PlacedStep[] },
  { document, report }: CheckContext,
): Readonly<Record<string, ChannelPosition>> | undefined {
  const uses: readonly { readonly verb: string | undefined; readonly with: StepDraft['with']; readonly path: Path }[] = [
    ...placed.map(({ draft, path }) => ({ verb: draft.do, with: draft.with, path })),
    { verb: when.watch, with: when.with, path: ['when'] },
  ];
  const found: Record<string, ChannelPosition> = {};
  for (const { verb, with: params, path } of uses) {
    for (const key of ['channel', 'role']) {
      const name = params?.[key];
      if (verb === undefined || typeof name !== 'string') continue;
      found[channelUse(verb, name)] ??= report.positionOf(document.locationOf([...path, 'with', key]));
    }
  }
  return Object.keys(found).length === 0 ? undefined : intern(found);
}
