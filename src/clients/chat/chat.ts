import { withOperations } from '#src/clients/operation/client.ts';
import type { PlatformOf } from '#src/clients/operation/platform.ts';
import * as events from './events.ts';
import * as commands from './commands.ts';
import * as aroundMessages from './message-actions.ts';
import * as messages from './messages.ts';
import * as questions from './questions.ts';
import * as roles from './roles.ts';
import * as status from './status.ts';

/** The topics of `Chat`: every export is an operation. */
export const chatTopics = [messages, aroundMessages, roles, events, status, questions, commands] as const;

/** The operations of a chat adapter. */
export type ChatPlatform = PlatformOf<typeof chatTopics>;

/** Reads and writes in the channels of a Discord server. */
export class Chat extends withOperations(...chatTopics) {}

/** The stored ids of standing messages. */
export interface StandingMessages {
  /** The message stored for `name`; undefined if there is none. */
  find(account: string, name: string): Promise<string | undefined>;
  /** Resolves when the id is durable. */
  keep(account: string, name: string, message: string): Promise<void>;
}

/** A use of a slash command that can be answered. */
export interface OpenCommandUse {
  /** The id of the interaction. */
  readonly id: string;
  /** The id of the application, and the secret with which its answer is written for 15 minutes. */
  readonly application: string;
  readonly token: string;
  /** The language of the answer: that of the member, or of the server if everyone sees it. */
  readonly locale: string;
}

/** The uses of commands that can be answered. */
export interface CommandUses {
  /** The use with an id; undefined if it is unknown or too old. */
  find(id: string): Promise<OpenCommandUse | undefined>;
  /** Resolves when the use is durable. */
  keep(use: OpenCommandUse): Promise<void>;
}

/** A state of a member that Discord sends only over the gateway. */
export interface MemberState {
  /** Of members that are not offline. */
  readonly status?: 'online' | 'idle' | 'dnd' | undefined;
  /** The id of the voice channel. */
  readonly channel?: string | undefined;
  readonly streaming?: boolean | undefined;
}

/** The kinds of states: of presences, or of voice channels. */
export type MemberStateKind = 'presence' | 'voice';

/** The states of the members of servers, which the process with the gateway connection stores. */
export interface MemberStates {
  /** The states by the ids of the members; undefined: they are not known completely now. */
  find(server: string, kind: MemberStateKind): Promise<Readonly<Record<string, MemberState>> | undefined>;
  /** Stores all states of a server, which are complete until an instant. */
  keep(server: string, kind: MemberStateKind, states: Readonly<Record<string, MemberState>>, untilMs: number): Promise<void>;
  /** The servers and kinds, for example `1234 voice`, whose states are known completely now. */
  known(): Promise<ReadonlySet<string>>;
  /** Removes the states of a server that are complete until this instant, and not those that another process has stored since then. */
  forget(server: string, kind: MemberStateKind, untilMs: number): Promise<void>;
}
