import { pluralIn } from '#src/admin/language/plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** The set-up of a server in German. */
export const setup: Texts['setup'] = {
  command: { name: 'einrichten', description: 'Die Ankündigungen dieses Servers einrichten' },

  greeting: {
    title: '## Hallo! Ich kündige an, wenn Streamer live gehen.',
    about: 'Du nennst die Streamer. Ich poste eine Karte, wenn sie live gehen, halte sie aktuell und vermerke das Ende.',
    who: '-# Mitglieder, die den Server verwalten, können mich einrichten. Das dauert eine Minute.',
    setUp: 'Einrichten',
    help: 'Hilfe',
  },

  title: (server) => `## Fanfare einrichten in ${server}`,
  noServer: 'Verwende diesen Befehl in einem Server.',
  channel: {
    title: '**Kanal für Ankündigungen**',
    none: 'Noch nicht gewählt. Ohne ihn wird nichts angekündigt.',
    fine: (channel) => `✅ ${channel}: Ich kann dort posten.`,
    pick: 'Kanal wählen',
    check: 'Erneut prüfen',
    gone: '⚠️ Der Kanal wurde gelöscht. Wähle einen anderen.',
    noMessages: (channel) => `⚠️ ${channel} kann keine Nachrichten haben, nur Beiträge oder andere Kanäle. Wähle einen Textkanal.`,
  },
  lacks: (channel, permissions, count) =>
    `⚠️ ${channel}: Ich brauche dort ${plural(count, 'die Berechtigung', 'die Berechtigungen')} **${permissions}**. Öffne die Einstellungen des Kanals, erlaube sie dort unter Berechtigungen für Fanfare und klicke auf „Erneut prüfen“.`,
  ping: {
    title: '**Rolle, die benachrichtigt wird**',
    none: 'Niemand wird benachrichtigt.',
    role: (role) => `${role} wird bei jeder neuen Karte benachrichtigt.`,
    everyone: (members) => `@everyone wird bei jeder neuen Karte benachrichtigt: ${members}.`,
    gone: '⚠️ Die Rolle wurde gelöscht, deshalb wird niemand benachrichtigt. Wähle eine andere.',
    cannot: (role) =>
      `⚠️ ${role} wird nicht benachrichtigt: Erlaube allen, die Rolle zu erwähnen, oder gib mir die Berechtigung **Alle erwähnen**.`,
    pick: 'Niemand',
    askEveryone: '@everyone benachrichtigen …',
    question: (members) => `⚠️ Jede neue Karte würde **${members}** benachrichtigen. Möchtest du das?`,
    yes: (members) => `Ja, ${members} benachrichtigen`,
    no: 'Nein',
    members: (figure, count) => `${figure} ${plural(count, 'Mitglied', 'Mitglieder')}`,
    all: 'alle Mitglieder',
  },
  problems: {
    title: '**Kanal für Probleme**',
    none: 'Keine Meldungen. Der Befehl `/status` zeigt Probleme.',
    fine: (channel) => `✅ ${channel}: Ich melde Probleme dort, ohne jemanden zu benachrichtigen.`,
    pick: 'Keine Meldungen',
    needsOperate:
      'Meldungen zeigen, was nur Mitglieder mit dem Recht **Betreiben** sehen dürfen. Deshalb können nur sie diesen Kanal wählen.',
  },
  live: {
    title: '**Live-Rolle**',
    none: 'Keine Rolle für Mitglieder, die live sind.',
    role: (role) => `Mitglieder erhalten ${role}, solange sie live sind: Nenne sie in der Option **mitglied** von \`/folgen hinzufügen\`.`,
    pick: 'Keine Live-Rolle',
    gone: 'Die Rolle wurde gelöscht, deshalb erhält kein Mitglied sie. Wähle eine andere.',
    tooHigh: (role) =>
      `${role} ist nicht unter meiner höchsten Rolle, deshalb kann ich sie nicht vergeben. Verschiebe meine Rolle in den Einstellungen des Servers nach oben, oder wähle eine andere Rolle.`,
    managed: (role) => `${role} gehört zu einer Integration, deshalb kann niemand sie vergeben. Wähle eine andere Rolle.`,
    unsafe: (role) =>
      `${role} hat Berechtigungen von Moderatoren, deshalb gebe ich sie keinen Mitgliedern, die live sind. Wähle eine andere Rolle.`,
    alsoPinged: (role) =>
      `⚠️ Ankündigungen benachrichtigen ${role} auch. Nach einem Stream verliert das Mitglied die Rolle, selbst wenn es sie für Benachrichtigungen gewählt hat. Wähle zwei verschiedene Rollen.`,
    noPermission: 'Ich brauche in diesem Server die Berechtigung **Rollen verwalten**, um Mitgliedern eine Rolle zu geben.',
  },
  language: {
    title: '**Sprache**',
    server: 'Nachrichten, die alle sehen, sind in der Sprache des Servers.',
    chosen: (language) => `Nachrichten, die alle sehen, sind auf **${language}**.`,
    ofServer: 'Sprache des Servers',
  },
  zone: {
    title: '**Zeitzone**',
    ofInstallation: (zone) => `Eingegebene Zeiten und Tage gelten in **${zone}**, der Zone der Installation.`,
    chosen: (zone) => `Eingegebene Zeiten und Tage gelten in **${zone}**.`,
    change: 'Zeitzone ändern …',
    form: 'Zeitzone dieses Servers',
    label: 'Zeitzone',
    hint: 'Europe/Berlin oder eine Stadt auf Englisch; leer: die Zone der Installation',
    unknown: (typed) =>
      `„${typed}“ ist kein Name einer Zeitzone. Schreibe eine Zone oder eine Stadt auf Englisch, zum Beispiel \`Europe/Berlin\` oder \`Vienna\`. Mit Abständen zu UTC und Abkürzungen können Zeiten nach einer Zeitumstellung um eine Stunde falsch sein.`,
  },
  roles: {
    title: '### Berechtigungen',
    about:
      'Mitglieder, die den Server verwalten, dürfen alles. Hier erlaubst du es weiteren Rollen. Discord zeigt `/folgen` allen, und die anderen Befehle erst, wenn du sie der Rolle unter Servereinstellungen → Integrationen → Fanfare erlaubst.',
    setup: '**Einrichten:** diese Einstellungen ändern',
    follow: '**Folgen:** Streamer hinzufügen, ändern und entfernen',
    post: '**Posten:** `/post` verwenden',
    operate: '**Betreiben:** anhalten, ausführen und erneut senden',
    answer: '**Antworten:** Fragen von Automationen beantworten',
    pick: 'Keine weiteren Rollen',
    notYours: 'Du kannst anderen Rollen nur erlauben, was du selbst darfst.',
  },
  buttons: { test: 'Test senden', follow: 'Streamern folgen', roles: 'Berechtigungen', done: 'Fertig', back: 'Zurück' },
  foreignChannel: 'Dieser Kanal ist nicht in diesem Server.',
  cannotPostIn:
    'Du kannst in diesem Kanal nicht posten, also kannst du ihn nicht wählen. Du brauchst dort die Berechtigung **Nachrichten senden**.',
  foreignRole: 'Diese Rolle ist nicht in diesem Server.',
  needsMentionEveryone:
    'Du brauchst in diesem Server die Berechtigung **Alle erwähnen**, um @everyone oder eine Rolle zu wählen, die nicht alle erwähnen können.',
  needsManageRoles: 'Du brauchst in diesem Server die Berechtigung **Rollen verwalten**, um Rollen zu wählen, die ich Mitgliedern gebe.',
  rolesAbove: 'Du kannst nur Rollen wählen, die unter deiner höchsten Rolle sind.',
  test: {
    needsChannel: 'Wähle zuerst einen Kanal für Ankündigungen.',
    mark: '-# Test: Niemand ist live, und niemand wird benachrichtigt.',
    sent: (channel) => `✅ Der Test ist in ${channel}. Er hat niemanden benachrichtigt.`,
    failed: (reason) => `⚠️ Der Test wurde nicht gesendet: ${reason}`,
  },
  done: {
    title: '## Fanfare ist eingerichtet',
    notYet: '## Fanfare kündigt noch nichts an',
    channel: (channel) => `Ankündigungen: ${channel}`,
    next: (add, help) => `Füge Streamer mit ${add} hinzu. ${help} zeigt alle Befehle.`,
  },
  permissions: {
    ViewChannel: 'Kanal anzeigen',
    SendMessages: 'Nachrichten senden',
    EmbedLinks: 'Links einbetten',
    AttachFiles: 'Dateien anhängen',
    ReadMessageHistory: 'Nachrichtenverlauf anzeigen',
  },
};
