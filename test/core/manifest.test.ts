/** Checks the references in package.json. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import { clients } from '../../server/src/clients/facts/clients.ts';
import { CATALOG_FILES, DEFAULT_FILES, SECTION } from '../../server/src/protocol.ts';
import { schemaTexts } from '../../server/src/vocabulary/published/schemas.ts';
import { sources } from './sources.ts';

const { contributes } = manifest;

/** Returns the English text of a `%key%`. */
const textOf = (contributed: string): string => {
  const text = (texts as Readonly<Record<string, string>>)[contributed.slice(1, -1)];
  assert.ok(text, `${contributed} has text`);
  return text;
};

test('every contributed file exists', () => {
  const paths = [
    ...contributes.grammars.map(({ path }) => path),
    ...contributes.languages.map(({ configuration }) => configuration),
    ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
    ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
  ];
  assert.deepEqual(
    paths.filter((path) => !existsSync(path)),
    [],
  );
});

test('every contributed schema is one that the build writes', () => {
  const written = new Set([...schemaTexts().keys()].map((file) => `./dist/schemas/${file}`));
  for (const { url } of contributes.jsonValidation) assert.ok(written.has(url), url);
});

test('each grammar has the scope that the manifest declares', () => {
  for (const { path, scopeName } of contributes.grammars) {
    const grammar = JSON.parse(readFileSync(path, 'utf8')) as { readonly scopeName: string };
    assert.equal(grammar.scopeName, scopeName, path);
  }
});

test('word-based suggestions are disabled in all contributed languages', () => {
  const defaults: Readonly<Record<string, object>> = contributes.configurationDefaults;
  // The newest VS Code has its own language for `SKILL.md`.
  for (const { id } of [...contributes.languages, { id: 'skill' }]) {
    // VS Code uses the settings for the language at the cursor, which may be an embedded language.
    assert.deepEqual(
      Object.entries(defaults[`[${id}]`] ?? {}).filter(([name]) => name === 'editor.wordBasedSuggestions'),
      [['editor.wordBasedSuggestions', 'off']],
    );
  }
});

test('`skillComposer.files` has the same default as in the server', () => {
  assert.deepEqual(contributes.configuration.properties['skillComposer.files'].default, DEFAULT_FILES);
});

test('a workspace with any of the default files activates the extension', () => {
  const files = [...DEFAULT_FILES, ...CATALOG_FILES].flatMap((glob) => {
    const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
    return list === undefined ? [glob] : list.split(',').map((part) => `${before}${part}${after}`);
  });
  const missing = files.filter((glob) => !manifest.activationEvents.includes(`workspaceContains:${glob}`));
  assert.deepEqual(missing, []);
});

test('a hidden folder that a client searches for skills activates the extension, even if git ignores it', () => {
  const dirs = clients.flatMap((client) => client.dirs?.value ?? []);
  const folders = dirs.filter(({ scope, path }) => scope === 'project' && /^\.[^*]*\/skills?$/.test(path));
  const missing = folders.filter(({ path }) => !manifest.activationEvents.includes(`workspaceContains:${path}`));
  assert.ok(folders.length > 20);
  assert.deepEqual(missing, []);
});

test('the walkthrough begins with the skills that exist, and otherwise with a new one', () => {
  const [first, second] = contributes.walkthroughs.flatMap(({ steps }) => steps);
  assert.deepEqual([first?.id, first?.when, second?.id], ['check', 'skillComposer.hasSkills', 'new']);
  assert.equal(second?.when, undefined);
});

test('settings and commands have the prefix `skillComposer` and a description', () => {
  for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
    assert.ok(name.startsWith(`${SECTION}.`), name);
    assert.ok(textOf(setting.markdownDescription).endsWith('.'), `${name} is described`);
  }
  for (const { command, category } of contributes.commands) {
    assert.ok(command.startsWith(`${SECTION}.`), command);
    assert.equal(textOf(category), 'Skill', `${command} stands with the others in the palette`);
  }
});

test('steps of the walkthrough use existing commands and completion events', () => {
  const commands = contributes.commands.map(({ command }) => command);
  const client = sources.map(({ text }) => text).join('\n');
  for (const { id, description, completionEvents } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    const [, offered = ''] = /\]\(command:(skillComposer\.\w+)\)/.exec(textOf(description)) ?? [];
    assert.ok(commands.includes(offered), `${id} has a button`);
    const [event = ''] = completionEvents;
    const [, step] = /^onContext:skillComposer\.done\.(\w+)$/.exec(event) ?? [];
    // The event of a command would complete a step before its page opens.
    assert.match(client, new RegExp(`(?:completeStep|createStep)\\('${step}'\\)`), `the code reports ${id} as done`);
  }
});

test('every command records that the user knows the extension, so that no notification greets the user later', () => {
  const others = sources.filter(
    ({ path, text }) =>
      path !== 'client/src/commands/first-steps.ts' && text.includes('vscode.commands.registerCommand('),
  );
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
  );
});

test('the API types have the version of the oldest supported VS Code', () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
});

test('dependencies have exact versions, and the lock file contains no registry address', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  assert.deepEqual(
    versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
  assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"resolved"/);
});

test('commands that apply to all skills are offered only if skills exist', () => {
  const ofSkills = [
    'showGraph',
    'whichSkillAnswers',
    'showPlannerCatalog',
    'choosePlannerCatalog',
    'fixAllInWorkspace',
    'checkSkills',
  ];
  const menus = contributes.menus.commandPalette.filter(({ command }) =>
    ofSkills.includes(command.replace(/^.*\./, '')),
  );
  assert.equal(menus.length, ofSkills.length);
  const ofView = contributes.menus['view/title'].filter(({ command }) => /Skills(By|With)|showAllSkills/.test(command));
  assert.ok(ofView.length >= 4);
  for (const { command, when } of [...menus, ...ofView])
    assert.match(when, /\bskillComposer\.has(?:Skills|OwnFormat)\b/, command);
});
