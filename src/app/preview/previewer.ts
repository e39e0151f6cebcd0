import type { Previewer, PreviewView } from '#src/queries/preview-view.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import { loadRules } from '#src/rules/load.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import type { Clients } from '../clients.ts';
import { isOn } from '#src/config/is-on.ts';
import { previewRule } from './preview-rule.ts';

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
      const { rules, diagnostics } = await loadRules({
        paths: [config.rulesDirectory],
        catalogue,
        accounts: accountsOf(config),
        nowMs: clock.nowMs(),
        isOn: (rule) => isOn(rule, config),
      });
      const meant = rules.filter((rule) => rule.id === id || rule.name === id);
      const views: PreviewView[] = [];
      for (const rule of meant) views.push(await previewRule(rule, { clients, items, clock, log }));
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      return { views, diagnostics: meant.length === 0 ? errors : [], names: [...new Set(rules.map(({ name }) => name))] };
    },
  };
}
