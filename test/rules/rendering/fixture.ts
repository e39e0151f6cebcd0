import type { JsonObject } from '#src/clients/operation/json.ts';
import { renderStep, type Rendered, type RenderOptions } from '#src/rules/render.ts';
import type { Step } from '#src/rules/step.ts';
import { catalogue, scopeOf } from '../../support/rule-language.ts';

/** Renders a step with these parameters for the account `x`. */
export function rendered(parameters: JsonObject, step: Partial<Step> = {}, more: Partial<RenderOptions> = {}): Rendered {
  return renderStep({
    step: { do: 'social.createPost', creates: true, with: parameters, as: ['x'], reads: [], ...step },
    names: { watch: 'streaming.getStreams', steps: {} },
    scope: scopeOf(),
    section: 'then',
    account: 'x',
    results: {},
    catalogue,
    ...more,
  });
}

/** The texts of a rendered post, or of each part of a thread. */
export function textsOf(answer: Rendered): readonly string[] {
  const posts = 'thread' in answer ? answer.thread : 'params' in answer ? [answer.params] : [];
  return posts.map(({ text }) => (typeof text === 'string' ? text : ''));
}
