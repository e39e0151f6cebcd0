import type { ScenarioNames } from '../scenarios.ts';

/** The scenarios in German. */
export const scenarios: ScenarioNames = {
  goesLive: { subject: 'Ein Stream', event: 'geht live' },
  enters: { subject: 'Ein Eintrag', event: 'kommt in die Liste' },
  isNew: { subject: 'Ein Eintrag', event: 'ist neu' },
  comes: { subject: 'Ein Eintrag', event: 'kommt hinzu' },
  isThere: { subject: 'Ein Eintrag', event: 'ist da' },
  leaves: { subject: 'Ein Eintrag', event: 'geht' },
  moves: { subject: 'Ein Eintrag', event: 'wechselt den Platz' },
  changes: { subject: 'Ein Eintrag', event: 'ändert sich' },
  rises: { subject: 'Ein Eintrag', event: 'steigt' },
  falls: { subject: 'Ein Eintrag', event: 'fällt' },
  slot: { event: 'Bei jeder Abfrage' },
  time: { event: 'Zur geplanten Zeit' },
  used: { subject: 'Der Befehl', event: 'wird benutzt' },
  received: { subject: 'Der Webhook', event: 'wird empfangen' },
  stays: { subject: 'Ein Eintrag', event: 'ist noch da' },
  repeats: { subject: 'Ein Eintrag', event: 'ist bei einem Vielfachen von every noch da' },
  ends: { subject: 'Ein Eintrag', event: 'ist weg' },
  quietEnds: { event: 'Wenn die Ruhezeit endet' },
  limitEnds: { event: 'Wenn das Limit wieder eine Meldung erlaubt' },
  gathers: { event: 'Wenn genug gesammelt ist' },
};
