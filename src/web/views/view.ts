import type { VNode } from './preact.mjs';
import type { ApiClient } from '../client/client.ts';
import type { Language } from './language.ts';

/** The events of the HTTP API after which a view can change. */
type ViewEventKind = 'delivery' | 'decision' | 'live' | 'messages' | 'rules' | 'accounts' | 'lists' | 'actions';

/** The values in the address of a view. */
export interface Address {
  /** The values of the names in the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The rights and the language of the reader of a view. */
export interface Reader {
  /** Whether the reader may act on rules and deliveries. */
  readonly canAct: boolean;
  /** Whether the reader may change accounts and access. */
  readonly isAdmin: boolean;
  readonly language: Language;
  /** The origin of the sandbox, whose pictures the server of the page forwards; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
}

/** The data in the title of a view. */
interface TitleProps<Data> {
  readonly data: Data;
  readonly address: Address;
}

/** The properties of the component of a view. */
export interface BodyProps<Data> extends TitleProps<Data> {
  readonly reader: Reader;
}

/** What a view shows while its script reads the data again. */
interface Before<Data> {
  readonly data: Data;
  /** Whether the reader did something since the data was read. */
  readonly isActedOn: boolean;
}

/** A view of the page. The server renders it, and the script keeps it current with the same component. */
export interface View<Data = unknown> {
  /** For example `/rules/:rule`. */
  readonly path: string;
  /** The title of the document. It names what the view is about, so that tabs and the history of a browser differ. */
  title(this: void, shown: TitleProps<Data>, language: Language): string;
  /**
   * Reads the data, which is JSON. An `ApiProblem` with the status 404 is a page that does not exist. `before` is absent on the server. Data that costs
   * requests to platforms is taken from it.
   */
  load(this: void, client: ApiClient, address: Address, language: Language, before?: Before<Data>): Promise<Data>;
  Body(this: void, props: BodyProps<Data>): VNode;
  readonly refreshOn: readonly ViewEventKind[];
  /** After this time, the script reads the data again even without an event. */
  refreshAfterMs?(this: void, data: Data): number;
  /** Whether `load` answers while the database does not. */
  readonly worksWithoutDatabase?: true | undefined;
  /** The time of the server in the data, and its speed relative to the real time. Absent: the time of the document. */
  timeOf?(this: void, data: Data): { readonly nowMs: number; readonly speed: number };
}

/** What the server gives to the script with a rendered view. */
export interface ShownView {
  /** The path of the view in the registry. */
  readonly path: string;
  readonly address: Address;
  readonly reader: Reader;
  readonly data: unknown;
  /** The id of the last event that is in the data. */
  readonly eventId: string;
  /** The instant of the server, in milliseconds since 1970. */
  readonly nowMs: number;
}
