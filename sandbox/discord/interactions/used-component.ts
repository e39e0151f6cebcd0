import type { JsonObject } from '#src/clients/operation/json.ts';
import { COMPONENT_TYPES, flatten, readComponents, type Component } from '../messages/component.ts';
import { type Message, currentOf } from '../messages/message.ts';
import { OrderError, unknownName } from '../../control/order-error.ts';
import type { InGuild } from '../parts.ts';
import type { Modal } from './callback-form.ts';
import { isServerSelect, toServerValues } from './server-select.ts';

/** A click on a button, or a choice in a select. The order names the component by its custom id, or a button by its label. */
interface Use {
  readonly customId?: string | undefined;
  readonly click?: string | undefined;
  /** The chosen values of a select. */
  readonly values?: readonly string[] | undefined;
}

/** The interaction data of a used component. */
export function toComponentData(discord: InGuild, message: Message, { customId, click: label, values }: Use): JsonObject {
  const components = readComponents(currentOf(message).components);
  const component = components.find((each) =>
    label === undefined ? each.customId === customId : each.type === COMPONENT_TYPES.button && each.label === label,
  );
  const name = label ?? customId ?? 'component';
  if (!component) {
    const existing = components.flatMap((each) => (label === undefined ? each.customId : each.label) ?? []);
    throw unknownName({
      field: label === undefined ? 'customId' : 'click',
      noun: label === undefined ? 'component' : 'button',
      name,
      known: existing,
    });
  }
  if (component.disabled) throw new OrderError(`${label === undefined ? 'customId' : 'click'}: ${name} is disabled.`);

  const use = { custom_id: component.customId, component_type: component.type, id: component.id };
  if (component.type === COMPONENT_TYPES.button) return use;
  return { ...use, ...choice(discord, component, values ?? []) };
}

/** The chosen values of a select. Selects of roles, channels and members take names or ids. */
function choice(
  discord: InGuild,
  component: Component,
  values: readonly string[],
): { readonly values: readonly string[]; readonly resolved?: JsonObject } {
  if (!isServerSelect(component)) return { values: choose(component, values) };
  checkCount(component, values);
  return toServerValues(discord, component, values);
}

/** The interaction data of a submitted modal. `fields` are texts or choices by custom id. */
export function toModalData(discord: InGuild, modal: Modal, fields: Readonly<Record<string, string | readonly string[]>>): JsonObject {
  const known = flatten(modal.components).flatMap(({ customId }) => customId ?? []);
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined) throw unknownName({ field: 'fields', noun: 'field', where: 'of the modal', name: unknown, known });

  const resolved: Record<string, JsonObject> = {};
  const submit = (component: Component): JsonObject => {
    const { type, id, customId, inner } = component;
    if (type === COMPONENT_TYPES.row) return { type, id, components: inner.map(submit) };
    if (type === COMPONENT_TYPES.label) return { type, id, component: inner.map(submit)[0] };
    if (customId === undefined) return { type, id };
    const field = fields[customId];
    if (type === COMPONENT_TYPES.textInput) return { type, id, custom_id: customId, value: toText(component, field) };
    const chosen = choice(discord, component, [field ?? []].flat());
    // Discord has one map of each kind for all selects of the modal.
    for (const [kind, objects] of Object.entries(chosen.resolved ?? {}))
      if (objects !== undefined) resolved[kind] = { ...resolved[kind], ...(objects as JsonObject) }; // toServerValues() makes maps by id
    return { type, id, custom_id: customId, values: chosen.values };
  };
  const components = modal.components.map(submit);
  return { custom_id: modal.customId, components, ...(Object.keys(resolved).length > 0 && { resolved }) };
}

function toText({ customId, required, value: before }: Component, value: string | readonly string[] = before ?? ''): string {
  if (typeof value !== 'string') throw new OrderError(`fields.${customId}: expected a text, got a list.`);
  if (required && value === '') throw new OrderError(`fields.${customId}: required.`);
  return value;
}

function checkCount({ customId, minValues, maxValues }: Component, values: readonly string[]): void {
  if (values.length >= minValues && values.length <= maxValues) return;
  throw new OrderError(`values: ${customId} takes ${minValues} to ${maxValues} values, got ${values.length}.`);
}

function choose(component: Component, values: readonly string[]): readonly string[] {
  const { customId, choices } = component;
  checkCount(component, values);
  const offered = choices.map(({ value }) => value);
  const foreign = values.find((value) => !offered.includes(value));
  if (foreign !== undefined) throw unknownName({ field: 'values', noun: 'choice', where: `of ${customId}`, name: foreign, known: offered });
  return values;
}
