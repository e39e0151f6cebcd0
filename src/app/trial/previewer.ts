import type { PreviewView } from '#src/cli/preview-view.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Problem } from '#src/rules/problem.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '../catalogue.ts';
import type { Clients } from '../clients.ts';
import { isOn } from '../is-on.ts';
import { previewRule } from './preview-rule.ts';

/** Shows what rules would say, and says nothing. */
export interface Previewer extends AsyncDisposable {
  /** Whether it reads a sandbox of its own, as none plays here. */
  readonly isOnItsOwn: boolean;
  /** Of all instances of a rule, or of one; with what is wrong with the rules where there is none of this id. */
  preview(
    id: string,
    items: number,
  ): Promise<{ readonly views: readonly PreviewView[]; readonly problems: readonly Problem[]; readonly names: readonly string[] }>;
}

export interface PreviewerOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly clock: Clock;
  readonly log: Log;
}

/** Previews of the rules as their files are, read through `clients`. */
export function createPreviewer({ config, clients, clock, log }: PreviewerOptions): Pick<Previewer, 'preview'> {
  return {
    async preview(id, items) {
      const { rules, problems } = await loadRules({
        paths: [config.rulesDirectory],
        catalogue,
        accounts: accountsOf(config),
        nowMs: clock.nowMs(),
        isOn: (rule) => isOn(rule, config),
      });
      const meant = rules.filter((rule) => rule.id === id || rule.name === id);
      const views: PreviewView[] = [];
      for (const rule of meant) views.push(await previewRule(rule, { clients, items, clock, log }));
      const errors = problems.filter(({ severity }) => severity === 'error');
      return { views, problems: meant.length === 0 ? errors : [], names: [...new Set(rules.map(({ name }) => name))] };
    },
  };
}
