/**
 * A dispatcher of undici. The type does not name undici, so that it accepts dispatchers of all versions and users of the library need no
 * types of undici.
 */
export interface Connections {
  dispatch(options: never, handler: never): boolean;
}
