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

/** Creates a value. A component that reads it is rendered again when it changes, and `subscribe` calls a function at once and after each change. */
export function signal<T>(value: T): { value: T; subscribe(run: (value: T) => void): void };

/** A value for all components below its provider. */
export interface Context<T> {
  readonly Provider: (props: { readonly value: T; readonly children?: unknown }) => VNode;
  /** Only for types: the type of the value. */
  readonly initial?: T;
}

/** Creates a value that components below a provider read with {@link useContext}. Without a provider, they read `initial`. */
export function createContext<T>(initial: T): Context<T>;

/** The value of the nearest provider. Only for components. */
export function useContext<T>(context: Context<T>): T;

/** A value of one element, with the function that replaces it. Only for components. */
export function useState<T>(first: T): readonly [T, (value: T) => void];

/** Runs in a browser after a rendering with other inputs. What it returns runs before the next time, and at the end. Only for components. */
export function useEffect(run: () => (() => void) | undefined, inputs: readonly unknown[]): void;
