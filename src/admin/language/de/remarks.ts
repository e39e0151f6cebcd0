import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import { reasons } from './reasons.ts';

/** A remark of a preview in German. The errors in it are in English. */
export function remark(found: StepRemark): string {
  switch (found.kind) {
    case 'cut':
      return `Der Text ist zu lang und wird gekürzt („${found.detail}“).`;
    case 'cutWarning':
      return `Die Inhaltswarnung ist zu lang und wird gekürzt („${found.detail}“).`;
    case 'cutCards':
      return `Alle Karten der Nachricht haben zusammen ${found.length} Zeichen, und ${found.most} sind möglich: Ihre letzten Felder und Beschreibungen werden gekürzt.`;
    case 'foreignPing':
      return `Die Nachricht wird ohne die Erwähnung ${found.name} gesendet: Ein Text der Plattform erreicht nie alle Mitglieder.`;
    case 'removesButtons':
      return 'Die Bearbeitung entfernt alle Buttons: Sie hat keinen, den Discord annimmt.';
    case 'file':
      return `Die Datei ${found.path} lässt sich nicht senden („${found.error}“).`;
    case 'target':
      return `Problem in Discord: „${found.error}“`;
    case 'without':
      return `${found.fails ? 'Nicht möglich' : 'Gesendet'} ${reasons.delivered({ omitted: [found.omission] }) ?? ''}`;
  }
}
