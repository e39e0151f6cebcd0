import type { JsonObject } from '#src/operation/json.ts';
import type { Meeting } from '../social/meeting.ts';
import type { Moment } from '../social/moment.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Caller } from './access/caller.ts';
import type { PostVersion } from './ids/post-ids.ts';
import type { Limits } from './limits/windows.ts';
import type { XMedia } from './media/media.ts';
import type { Mutes } from './mutes.ts';
import type { Settings } from './settings.ts';
import type { Asked, Expandable, Kind } from './wire/fields.ts';

/** What an endpoint works with. */
export interface XRequest {
  readonly caller: Caller;
  /** Who is signed in; absent: the app asks for itself. */
  readonly viewer: WorldPerson | undefined;
  /** The platform as whoever asks finds it. */
  readonly moment: Moment;
  readonly meeting: Meeting;
  readonly findPost: (id: string) => PostVersion | undefined;
  readonly query: URLSearchParams;
  /** What stands in the path for `:name`. */
  readonly param: (name: string) => string;
  /** What came as JSON; refuses what is none. */
  readonly json: () => Promise<unknown>;
  /** What it came as; empty where nothing says so. */
  readonly contentType: string;
  /** What came, as it is. */
  readonly bytes: () => Promise<Buffer>;
  readonly asked: Asked;
  readonly media: XMedia;
  readonly mutes: Mutes;
  readonly settings: Settings;
  readonly path: string;
}

/** Who may ask a route, as its part of the OpenAPI document says. */
export interface Access {
  /** What an account has to have allowed. */
  readonly scopes: readonly string[];
  /** Whether the app may ask for itself. */
  readonly app?: boolean;
  /** Whether OAuth 1.0a will not do. */
  readonly oauth2Only?: boolean;
  /** Whether no account may ask. */
  readonly appOnly?: boolean;
}

/** One endpoint. */
export interface XRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/2`. */
  readonly path: string;
  readonly access: Access;
  readonly limits: Limits;
  /** Whether only Enterprise has it. */
  readonly enterprise?: boolean;
  /** Parameters of the query beside those of fields. */
  readonly parameters?: readonly string[];
  /** The kinds of which fields can be asked for. */
  readonly fields?: readonly Kind[];
  readonly expands?: Expandable;
  /** Whether what it answers counts as posts read. */
  readonly readsPosts?: boolean;
  readonly status?: 200 | 201;
  answer(request: XRequest): JsonObject | Promise<JsonObject>;
}
