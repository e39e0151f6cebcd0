import type { SceneView, StepView } from '#src/cli/preview-view.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import { nameOf } from '#src/rules/episodes/telling/wording.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import { durationText } from '#src/rules/wording/duration-text.ts';
import type { Clients } from '../clients.ts';
import { stepName } from '../step-name.ts';
import type { RehearsedStep } from './rehearsal.ts';
import { sayingOf } from './saying.ts';

/** How long a post through an account may be. */
export function textLimitOf(clients: Clients, account: string): TextLimit | undefined {
  return clients.social.get(account)?.textLimit;
}

interface Shown {
  readonly rule: Rule;
  readonly clients: Clients;
}

/** What one thing that happens would bring about, firing by firing. */
export async function sceneViews(steps: readonly RehearsedStep[], what: string, shown: Shown): Promise<readonly SceneView[]> {
  const firings = Map.groupBy(steps, ({ firing }) => firing.id);
  const scenes: SceneView[] = [];
  for (const ones of firings.values()) {
    const views = await Promise.all(ones.map((one) => stepView(one, shown)));
    scenes.push({ title: titleOf(ones[0]?.firing, what), steps: views });
  }
  return scenes;
}

function titleOf(firing: Firing | undefined, what: string): string {
  const { item, previous } = firing?.scope ?? {};
  const about = item ?? previous;
  return about ? `${nameOf(about, 'it')} ${what}` : what;
}

async function stepView({ firing, planned, outcome }: RehearsedStep, { rule, clients }: Shown): Promise<StepView> {
  const { step, account, index } = planned;
  return {
    name: stepName(rule, firing.section, index),
    do: step.do,
    account,
    after: step.afterMs === undefined ? undefined : durationText(step.afterMs),
    undone: outcome.kind === 'done' ? undefined : outcome,
    reads: outcome.kind === 'done' && outcome.reads,
    remark:
      outcome.kind === 'done'
        ? [outcome.remark, await troubleAt(outcome.params[0], account, clients)].filter((one) => one !== undefined).join('; ') || undefined
        : undefined,
    sayings: outcome.kind === 'done' ? outcome.params.map((params) => sayingOf(step.do, params, textLimitOf(clients, account))) : [],
  };
}

/** Why nothing can be written to the channel that a step names, which is looked at for that. */
async function troubleAt(params: JsonObject | undefined, account: string, clients: Clients): Promise<string | undefined> {
  const channel = params?.['channel'];
  const chat = clients.discord.get(account);
  if (!chat || typeof channel !== 'string') return undefined;
  try {
    await chat.getMessages(channel);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `#${channel.replace(/^#/u, '')} cannot be read: ${error.message}`;
  }
}
