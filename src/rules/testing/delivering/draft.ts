import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonObject, type JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Element } from '../../element.ts';
import type { Firing } from '../../firing.ts';
import { renderStep } from '../../render.ts';
import { isFailedFor, resultsOf } from '../../results.ts';
import type { StepReason } from '../../reasons/step-reason.ts';
import { stopperOf } from '../../reasons/stopper.ts';
import { nameOf, type SimulatedDelivery } from './simulated-delivery.ts';

/** What a delivery comes to when it is due: what it sends, why it sends nothing, or what it becomes instead. */
export type Draft =
  | { readonly params: JsonObject; /** What follows it in its thread. */ readonly rest: readonly JsonObject[] }
  | { readonly each: readonly Element[] }
  | { readonly skip: StepReason }
  | { readonly failure: string };

export interface DraftOptions {
  readonly firing: Firing;
  readonly catalogue: Catalogue;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
  readonly find: (id: string) => SimulatedDelivery | undefined;
}

/** Works out what a delivery sends, once in its life. */
export function draft(delivery: SimulatedDelivery, { firing, catalogue, textLimitOf, find }: DraftOptions): Draft {
  const { planned, params, after, element } = delivery;
  if (params && after !== undefined) return reply(params, find(after));
  const needed = delivery.needs.flatMap((need) => {
    const other = find(need.needed);
    return other ? [{ ...need, other }] : [];
  });
  const stopper = needed.find(({ stops, other }) => stops && other.state === 'failed')?.other;
  if (stopper) return { skip: { kind: 'stopped', ...stopperOf(stopper.planned) } };

  const read = needed.flatMap(({ reads, other }) => (reads ? [other] : []));
  const rendered = renderStep({
    step: planned.step,
    names: firing.names,
    section: firing.section,
    scope: firing.scope,
    account: planned.account,
    results: resultsOf(read.map(toRead), firing.names),
    element,
    textLimit: textLimitOf(planned.account),
    catalogue,
  });
  if ('params' in rendered) return { params: rendered.params, rest: [] };
  if (!('thread' in rendered)) return rendered;
  const [first = {}, ...rest] = rendered.thread;
  return { params: first, rest };
}

function toRead(delivery: SimulatedDelivery): Parameters<typeof resultsOf>[0][number] {
  const { planned, element, result } = delivery;
  const isFailed = isFailedFor(planned.step, delivery);
  return { step: nameOf(delivery), account: planned.account, element: element?.key ?? '', result, isFailed };
}

function reply(params: JsonObject, before: SimulatedDelivery | undefined): Draft {
  if (before?.state !== 'sent') return { skip: { kind: 'partUnsent' } };
  const record = isJsonObject(before.result) ? before.result['id'] : undefined;
  return record === undefined ? { skip: { kind: 'partUnknown' } } : { params: { ...params, replyTo: record }, rest: [] };
}
