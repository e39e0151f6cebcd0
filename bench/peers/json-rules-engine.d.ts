// The types that the benchmarks use, so that the type check does not need the packages of this folder.
declare module 'json-rules-engine' {
  export interface RuleProperties {
    readonly conditions: { readonly all: readonly { readonly fact: string; readonly operator: string; readonly value: unknown }[] };
    readonly event: { readonly type: string };
  }
  export class Engine {
    constructor(rules: readonly RuleProperties[]);
    run(facts: object): Promise<{ readonly events: readonly unknown[]; readonly failureEvents: readonly unknown[] }>;
  }
}
