import type { JsonObject } from '#src/operation/json.ts';
import { COMPONENT_TYPES, flatten, readComponents, type Component } from '../messages/component.ts';
import { type Message, currentOf } from '../messages/message.ts';
import { OrderError } from '../order-error.ts';
import type { InGuild } from '../parts.ts';
import type { Modal } from './callback-form.ts';
import { nameChannel, nameMentionable, nameRole, nameUser, toResolved } from './resolved.ts';

/** A press of a button, or a choice in a select; the component by its custom id, or a button by what stands on it. */
export interface Use {
  readonly customId?: string | undefined;
  readonly press?: string | undefined;
  /** What is chosen: values, or names of users, roles or channels. */
  readonly values?: readonly string[] | undefined;
}

/** The data of the interaction that using a component makes. */
export function toComponentData(discord: InGuild, message: Message, { customId, press, values }: Use): JsonObject {
  const components = readComponents(currentOf(message).components);
  const component = components.find((each) =>
    press === undefined ? each.customId === customId : each.type === COMPONENT_TYPES.button && each.label === press,
  );
  const named = press ?? customId ?? 'component';
  if (!component) {
    const there = components.flatMap(({ customId: id, label }) => (press === undefined ? id : label) ?? []);
    throw new OrderError(`the message has no ${named}; it has ${there.join(', ')}`);
  }
  if (component.disabled) throw new OrderError(`${named} is disabled`);

  const use = { custom_id: component.customId, component_type: component.type, id: component.id };
  return component.type === COMPONENT_TYPES.button ? use : { ...use, ...choose(discord, component, values ?? []) };
}

/** The data of the interaction that sending a modal makes; `fields` are texts or choices by custom id. */
export function toModalData(discord: InGuild, modal: Modal, fields: Readonly<Record<string, string | readonly string[]>>): JsonObject {
  const known = flatten(modal.components).flatMap(({ customId }) => customId ?? []);
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new OrderError(`the modal has no field ${unknown}; it has ${known.join(', ')}`);

  const submit = (component: Component): JsonObject => {
    const { type, id, customId, inner } = component;
    if (type === COMPONENT_TYPES.row) return { type, id, components: inner.map(submit) };
    if (type === COMPONENT_TYPES.label) return { type, id, component: inner.map(submit)[0] };
    if (customId === undefined) return { type, id };
    const field = fields[customId];
    if (type !== COMPONENT_TYPES.textInput) return { type, id, custom_id: customId, ...choose(discord, component, [field ?? []].flat()) };
    return { type, id, custom_id: customId, value: toText(component, field) };
  };
  return { custom_id: modal.customId, components: modal.components.map(submit) };
}

function toText({ customId, required, value: before }: Component, value: string | readonly string[] = before ?? ''): string {
  if (typeof value !== 'string') throw new OrderError(`the field ${customId} is a text`);
  if (required && value === '') throw new OrderError(`the field ${customId} is required`);
  return value;
}

function choose(discord: InGuild, component: Component, wanted: readonly string[]): JsonObject {
  const { customId, choices, minValues, maxValues } = component;
  if (wanted.length < minValues || wanted.length > maxValues) throw new OrderError(`${customId} takes ${minValues} to ${maxValues} values`);

  const name = namers[component.type];
  if (name) {
    const named = wanted.map((each) => name(discord, each));
    return { values: named.map(({ id }) => id), resolved: toResolved(named) };
  }
  const offered = choices.map(({ value }) => value);
  const foreign = wanted.find((value) => !offered.includes(value));
  if (foreign !== undefined) throw new OrderError(`${customId} has no ${foreign}; it has ${offered.join(', ')}`);
  return { values: wanted };
}

const namers: Readonly<Record<number, typeof nameUser>> = {
  [COMPONENT_TYPES.userSelect]: nameUser,
  [COMPONENT_TYPES.roleSelect]: nameRole,
  [COMPONENT_TYPES.mentionableSelect]: nameMentionable,
  [COMPONENT_TYPES.channelSelect]: nameChannel,
};
