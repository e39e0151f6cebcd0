import type { ScenarioView, StepRemark, StepView } from '#src/queries/preview-view.ts';
import { PlatformError } from '#src/errors.ts';
import { missingParts } from '#src/operation/client.ts';
import { isJsonList, type JsonObject } from '#src/operation/json.ts';
import type { Omission } from '#src/operation/part.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { SAMPLE_ORIGIN } from '#src/rules/testing/world/sample-record.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Clients } from '../clients.ts';
import { textLimitOf } from '../quote-as-link.ts';
import { stepName, stepPosition } from '#src/rules/step-name.ts';
import { fileRemarks } from './file-remarks.ts';
import type { PreviewedStep } from './preview-simulation.ts';
import { messagePreview } from './message-preview.ts';

interface Shown {
  readonly rule: Rule;
  readonly clients: Clients;
}

/** What one thing that happens would bring about, firing by firing. */
export async function scenarioViews(
  steps: readonly PreviewedStep[],
  kind: ScenarioView['kind'],
  shown: Shown,
): Promise<readonly ScenarioView[]> {
  const firings = Map.groupBy(steps, ({ firing }) => firing.id);
  const scenarios: ScenarioView[] = [];
  for (const ones of firings.values()) {
    const views = await Promise.all(ones.map((one) => stepView(one, shown)));
    scenarios.push({ kind, name: nameIn(ones[0]?.firing), steps: views });
  }
  return scenarios;
}

function nameIn(firing: Firing | undefined): string | undefined {
  const { item, previous } = firing?.scope ?? {};
  const about = item ?? previous;
  return about && nameOf(about, 'it');
}

async function stepView({ firing, planned, outcome }: PreviewedStep, { rule, clients }: Shown): Promise<StepView> {
  const { step, account, index } = planned;
  const social = clients.social.get(account);
  const position = stepPosition(rule, firing.section, index);
  return {
    name: stepName(position),
    position,
    do: step.do,
    account,
    after: step.afterMs === undefined ? undefined : { ms: step.afterMs, text: formatDuration(step.afterMs) },
    notRun: outcome.kind === 'done' ? undefined : outcome,
    reads: outcome.kind === 'done' && outcome.reads,
    remarks:
      outcome.kind === 'done'
        ? [
            ...(outcome.cut === undefined ? [] : [{ kind: 'cut', detail: outcome.cut } as const]),
            ...(await fileRemarks(outcome.params)),
            ...(await channelRemarks(outcome.params[0], account, clients)),
            ...(outcome.reads ? [] : await missingRemarks(step, { params: outcome.params, account, clients })),
          ]
        : [],
    messages:
      outcome.kind === 'done'
        ? outcome.params.map((params) =>
            messagePreview(step.do, params, { platform: social?.platformName, textLimit: textLimitOf(social, step) }),
          )
        : [],
  };
}

/** The parts of what a step writes that cannot be had now: it is sent without them, or fails. */
async function missingRemarks(
  { do: verb, strict = false }: Step,
  { params, account, clients }: { readonly params: readonly JsonObject[]; readonly account: string; readonly clients: Clients },
): Promise<readonly StepRemark[]> {
  const { client } = clients.operationOf(verb, account);
  const found = await Promise.all(
    params.map(async (one) => {
      const isSample = ({ parameter, index }: Omission): boolean => {
        const list = one[parameter];
        return isJsonList(list) && JSON.stringify(list[index] ?? '').includes(SAMPLE_ORIGIN);
      };
      try {
        return (await client[missingParts](one, {})).filter((omission) => !isSample(omission));
      } catch (error) {
        // A platform that does not answer has its own remark.
        if (error instanceof PlatformError) return [];
        throw error;
      }
    }),
  );
  return found.flat().map((omission) => ({ kind: 'without', omission, strict }));
}

/** Why nothing can be written to the channel that a step names, which is looked at for that. */
async function channelRemarks(params: JsonObject | undefined, account: string, clients: Clients): Promise<readonly StepRemark[]> {
  const channel = params?.['channel'];
  const chat = clients.discord.get(account);
  if (!chat || typeof channel !== 'string') return [];
  try {
    await chat.getMessages(channel);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [{ kind: 'closed', channel: channel.replace(/^#/u, ''), error: error.message }];
  }
}
