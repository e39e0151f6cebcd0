/** An element of a view. */
export interface VNode {
  readonly type: unknown;
  readonly props: object;
  readonly key: unknown;
}

/** Creates an element. */
export function h(type: unknown, props: object | null, ...children: readonly unknown[]): VNode;

/** Makes the elements that the server rendered follow their signals and take events. Only for browsers. */
export function hydrate(view: VNode, parent: object): void;

/** Creates a value. A component that reads it is rendered again when it changes. */
export function signal<T>(value: T): { value: T };
