import type { InteractionView } from '../../support/discord-sandbox.ts';
import type { Fixture } from './fixture.ts';

/** An interaction, without the person and the language. */
export type Order =
  | { readonly command: string; readonly options?: Readonly<Record<string, string | boolean>> }
  | { readonly message: string; readonly menu: string }
  | { readonly message: string; readonly customId: string; readonly values?: readonly string[] }
  | { readonly modal: string; readonly customId: string; readonly fields: Readonly<Record<string, string | readonly string[]>> };

/** Makes what an order needs. */
export type Prepare = (fixture: Fixture) => Promise<Order>;

export interface Impossible {
  readonly cannot: string;
}

/** A command, an entry of a menu, a component or a form. */
export interface Use {
  /** As `/follow add`, or the beginning of a custom id. */
  readonly use: string;
  readonly right: Prepare;
  readonly wrong: Prepare | Impossible;
  readonly old: Prepare | Impossible;
  /** The order during an outage. Default: `right`. It needs other input than `right`, because look-ups are cached. */
  readonly unreachable?: Prepare;
  /** What the bot has no permission for, if that is not the channel. */
  readonly lacking?: Prepare;
  /** Whether its message has a text, and no layout of components. */
  readonly isPlain?: boolean;
  /** Whether its message is a layout of components, unlike the others of its group. */
  readonly isLayout?: boolean;
  /** Whether it sends something, which Fanfare retries for a day. */
  readonly isRetried?: boolean;
  /** Whether it changes the roles of the person. */
  readonly changesRoles?: boolean;
  /** Whether a successful answer shows data of a platform, which changes. */
  readonly isData?: boolean;
  /** Whether all situations use one message, which stays. */
  readonly isKept?: boolean;
  /** Whether it waits for a platform, so that a restart can interrupt it. */
  readonly waits?: boolean;
}

export const cannot = (reason: string): Impossible => ({ cannot: reason });

export const NO_INPUT = cannot('it has no input');
export const CHOICES = cannot('Discord only sends choices that it offers');
export const NO_BUTTON = cannot('it is no button');
export const NAMES_NOTHING = cannot('its custom id names nothing that can end');

export function command(name: string, options: Readonly<Record<string, string | boolean>> = {}): Prepare {
  return async () => ({ command: name, options });
}

/** The id of the answer. */
export function messageOf({ message, error }: InteractionView): string {
  if (!message) throw new Error(`there is no answer: ${error ?? 'none'}`);
  return message.id;
}

/** The first custom id in an answer that begins so. */
export function idIn({ message, followUps }: Pick<InteractionView, 'message' | 'followUps'>, start: string): string {
  const [, id] = new RegExp(`"custom_id":"(${start}[^"]*)"`, 'u').exec(JSON.stringify([message?.components, followUps])) ?? [];
  if (id === undefined) throw new Error(`no component ${start} in ${JSON.stringify([message?.content, message?.components])}`);
  return id;
}

/** A component in the answer to an order. */
export function componentIn(open: (fixture: Fixture) => Promise<InteractionView>, start: string, values?: readonly string[]): Prepare {
  return async (fixture) => {
    const view = await open(fixture);
    return { message: messageOf(view), customId: idIn(view, start), ...(values && { values }) };
  };
}

/** A custom id below the answer to an order, which the answer need not have. */
export function below(open: (fixture: Fixture) => Promise<InteractionView>, customId: string, values?: readonly string[]): Prepare {
  return async (fixture) => ({ message: messageOf(await open(fixture)), customId, ...(values && { values }) });
}

export const run =
  (name: string, options: Readonly<Record<string, string | boolean>> = {}) =>
  (fixture: Fixture): Promise<InteractionView> =>
    fixture.act({ command: name, options });
