import { REQUIRED, type MissionOperation } from './document.ts';
import { camel, ours } from './names.ts';

/** The parameters of a call, with the names of the document. */
export type Args = Readonly<Record<string, unknown>>;

/** Operations of which the required parameters are not the arguments before the options. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  get_user_info: ['username'],
  send_message_reaction: ['reaction_emoji', 'message_id'],
};

/** Calls an operation of the document on a client. */
export function invoke(client: object, { name, parameters }: MissionOperation, args: Args, method = camel(name)): unknown {
  const first = ARGUMENTS[name] ?? Object.keys(parameters).filter((parameter) => parameters[parameter] === REQUIRED);
  const options = Object.entries(args).flatMap(([parameter, value]) => (first.includes(parameter) ? [] : [[ours(parameter), value]]));
  const operation = Reflect.get(client, method) as (...values: readonly unknown[]) => unknown; // a method of the client
  return operation.apply(client, [...first.map((parameter) => args[parameter]), Object.fromEntries(options)]);
}
