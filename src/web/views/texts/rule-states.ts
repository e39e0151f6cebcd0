import type { BadgeTexts } from '../language.ts';
import type { RuleState } from '../rule-state.ts';

export const RULE_STATE_TEXTS: BadgeTexts<RuleState> = {
  en: {
    on: { word: 'on', title: 'It runs.' },
    failing: { word: 'on, failing', title: 'It runs, but some of its deliveries failed or are unknown.' },
    asBefore: { word: 'on, as before', title: 'Its file has errors. The last version without errors runs.' },
    paused: { word: 'paused', title: 'It announces nothing new.' },
    broken: { word: 'broken', title: 'Its file has errors, so it does not run.' },
    off: { word: 'off', title: 'It does not run.' },
    deleted: { word: 'deleted', title: 'No loaded rule has this id.' },
  },
  de: {
    on: { word: 'an', title: 'Sie läuft.' },
    failing: { word: 'an, mit Fehlern', title: 'Sie läuft, aber einige ihrer Zustellungen sind fehlgeschlagen oder ungeklärt.' },
    asBefore: { word: 'an, wie vorher', title: 'Ihre Datei hat Fehler. Es läuft die letzte Fassung ohne Fehler.' },
    paused: { word: 'angehalten', title: 'Sie meldet nichts Neues.' },
    broken: { word: 'fehlerhaft', title: 'Ihre Datei hat Fehler, deshalb läuft sie nicht.' },
    off: { word: 'aus', title: 'Sie läuft nicht.' },
    deleted: { word: 'gelöscht', title: 'Keine geladene Regel hat diesen Namen.' },
  },
};
