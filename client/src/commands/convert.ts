/**
 * “Skill: Convert…”: shows the converted skill in a read-only document beside the original, and saves the result on
 * request.
 */
import * as vscode from 'vscode';
import {
  type ConvertReply,
  ConvertRequest,
  type EmitPreviewReply,
  EmitPreviewRequest,
  type EmitReply,
  EmitRequest,
  type ParamsOf,
  SECTION,
} from '../../../server/src/protocol.ts';
import { isSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { columnBeside, columnForFiles, openFile, skillOf } from '../panels/command-target.ts';
import { errorMessage } from '../plain-message.ts';
import { namesText } from '../views/workspace-entry.ts';
import { exists, writeText } from './choose-folder.ts';
import { registerCommand } from './first-steps.ts';

const SCHEME = 'skill-converted';

type ConvertedFiles = Extract<ConvertReply, { files: unknown }>;
type ConversionTarget = ParamsOf<typeof ConvertRequest>['to'];

/** A conversion that is shown in a document, which contains the first converted file. */
interface ShownConversion {
  readonly made: ConvertedFiles;
  readonly source: vscode.Uri;
}

export function serveConversions(server: Pick<SkillServer, 'send'>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const shown = new Map<string, ShownConversion>();
  const show = async (place?: unknown): Promise<void> => {
    const source = skillOf(place) ?? vscode.window.activeTextEditor?.document.uri;
    const to = source && (await askForTarget(source));
    if (!source || !to) return;
    try {
      const made = await ask(server, source, to);
      const [first] = made?.files ?? [];
      if (!made || !first) return;
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${first.path}`, query: source.toString() });
      shown.set(uri.toString(), { made, source });
      changed.fire(uri);
      await vscode.window.showTextDocument(uri, { preview: true, viewColumn: columnBeside() });
      void reportNotes({ made, source }, uri);
    } catch (error) {
      void showError(vscode.l10n.t('Nothing was converted: {0}', errorMessage(error)));
    }
  };
  const save = async (place?: unknown): Promise<void> => {
    const uri = place instanceof vscode.Uri ? place : vscode.window.activeTextEditor?.document.uri;
    const one = uri && shown.get(uri.toString());
    if (!one) return;
    try {
      const saved = await saveAll(one);
      if (saved) await vscode.window.showTextDocument(saved, { viewColumn: columnForFiles(saved) });
    } catch (error) {
      void showError(vscode.l10n.t('The result was not saved: {0}', errorMessage(error)));
    }
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => shown.get(uri.toString())?.made.files[0]?.text ?? '',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void shown.delete(uri.toString())),
    registerCommand(`${SECTION}.convert`, show),
    registerCommand(`${SECTION}.saveConverted`, save),
  );
}

async function askForTarget({ path }: vscode.Uri): Promise<ConversionTarget | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const own: ConversionTarget | undefined =
    name === 'skill.md'
      ? 'agent-skill'
      : name.endsWith('.skill.json')
        ? 'package'
        : name.endsWith('.md')
          ? 'skill-md'
          : undefined;
  const all: readonly (vscode.QuickPickItem & { readonly to: ConversionTarget })[] = [
    {
      to: 'skill-md',
      label: vscode.l10n.t('Typed skill'),
      description: '.skill.md',
      detail: vscode.l10n.t('A Markdown file with inputs, outputs and samples.'),
    },
    {
      to: 'agent-skill',
      label: vscode.l10n.t('Agent Skill'),
      description: 'SKILL.md',
      detail: vscode.l10n.t('A folder with a SKILL.md, in the open format of coding agents.'),
    },
    {
      to: 'record',
      label: vscode.l10n.t('Record'),
      description: '.record.json',
      detail: vscode.l10n.t('The skill as data, for other programs. Converts back without loss.'),
    },
    {
      to: 'package',
      label: vscode.l10n.t('Legacy package'),
      description: '.skill.json',
      detail: vscode.l10n.t('The earlier JSON format, for applications that still read it.'),
    },
  ];
  const items = all.filter(({ to }) => to !== own);
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Convert to…') });
  return picked?.to;
}

/** Returns the converted files; undefined if the conversion fails, after showing the problem and its location. */
async function ask(
  server: Pick<SkillServer, 'send'>,
  source: vscode.Uri,
  to: ConversionTarget,
): Promise<ConvertedFiles | undefined> {
  const document = await vscode.workspace.openTextDocument(source);
  const reply = await server.send(ConvertRequest, { uri: source.toString(), text: document.getText(), to });
  if (!reply) return undefined;
  if ('files' in reply) return reply;
  const { problem, range } = reply;
  const go = vscode.l10n.t('Go to Location');
  const chosen = await showError(problem, ...(range ? [go] : []));
  if (chosen === go && range) await reveal(source, range);
  return undefined;
}

type SourceRange = ConvertedFiles['lost'][number]['range'];

async function reveal(source: vscode.Uri, { start, end }: SourceRange): Promise<void> {
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(source, { selection, viewColumn: columnForFiles(source) });
}

/** Reports the notes on the parts that were changed or left out. Selecting an entry of the list opens its location. */
async function reportNotes({ made, source }: ShownConversion, uri: vscode.Uri): Promise<void> {
  const { lost } = made;
  const list = vscode.l10n.t('Show Notes');
  const keep = vscode.l10n.t('Save…');
  const message = [convertedMessage(made), otherFilesMessage(made)].join(' ').trim();
  const chosen = await showInformation(message, ...(lost.length > 0 ? [list] : []), keep);
  if (chosen === keep) await vscode.commands.executeCommand(`${SECTION}.saveConverted`, uri);
  if (chosen !== list) return;
  const items = lost.map(({ what, why, range }) => ({
    label: what.replaceAll('`', ''),
    detail: why.replaceAll('`', ''),
    range,
  }));
  const title = vscode.l10n.t('Notes on the conversion');
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (picked) await reveal(source, picked.range);
}

function convertedMessage({ files, lost }: ConvertedFiles): string {
  const name = files[0]?.path ?? '';
  if (lost.length === 0) return vscode.l10n.t('`{0}` contains everything from the source.', name);
  return lost.length === 1
    ? vscode.l10n.t('`{0}`: converted, with 1 note.', name)
    : vscode.l10n.t('`{0}`: converted, with {1} notes.', name, lost.length);
}

/** Returns a sentence about the files after the first one, because only the first file is shown. */
function otherFilesMessage({ files, linked }: ConvertedFiles): string {
  const others = files.length - 1 + linked.length;
  if (others < 1) return '';
  return others === 1
    ? vscode.l10n.t('1 more file is saved with it.')
    : vscode.l10n.t('{0} more files are saved with it.', others);
}

/** Saves one file with a dialog, or several files in a folder. Never overwrites a file without confirmation. */
async function saveAll({ made, source }: ShownConversion): Promise<vscode.Uri | undefined> {
  const { files, along, linked } = made;
  const beside = vscode.Uri.joinPath(source, '..');
  const [first] = files;
  if (!first) return undefined;
  const title = vscode.l10n.t('Save Converted Skill');
  if (files.length === 1 && !first.path.includes('/') && along === null) {
    const uri = await vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.joinPath(beside, first.path) });
    if (uri) await writeText(uri, first.text);
    return uri;
  }
  const openLabel = vscode.l10n.t('Save Here');
  const folders = { title, canSelectFiles: false, canSelectFolders: true };
  const [chosen] = (await vscode.window.showOpenDialog({ ...folders, defaultUri: beside, openLabel })) ?? [];
  if (!chosen) return undefined;
  const copies = along === null ? [] : await copiesAlong(vscode.Uri.parse(along), chosen);
  // Files of another skill may have the same names, such as `LICENSE.txt`.
  const clashes = await Promise.all(copies.map(({ name }) => exists(vscode.Uri.joinPath(chosen, name))));
  const folder = clashes.includes(true) ? vscode.Uri.joinPath(chosen, first.path.replace(/\.skill\.md$/, '')) : chosen;
  for (const { from, path } of linked) {
    const source = vscode.Uri.parse(from);
    if (await isFile(source)) copies.push({ from: source, name: path });
  }
  const targets = files.map(({ path, text }) => ({ uri: vscode.Uri.joinPath(folder, path), path, text }));
  for (const path of [...files.map(({ path }) => path), ...copies.map(({ name }) => name)]) {
    if (await exists(vscode.Uri.joinPath(folder, path)))
      throw new Error(vscode.l10n.t('{0} already exists and was not changed.', path));
  }
  for (const { uri, text } of targets) await writeText(uri, text);
  for (const { from, name } of copies)
    await vscode.workspace.fs.copy(from, vscode.Uri.joinPath(folder, name), { overwrite: false });
  return targets[0]?.uri;
}

/** A file or folder that is copied unchanged; `name` is its path in the target folder. */
interface Copy {
  readonly from: vscode.Uri;
  readonly name: string;
}

/** Returns the files and folders beside a `SKILL.md`, unless the target is their own folder. */
async function copiesAlong(from: vscode.Uri, to: vscode.Uri): Promise<Copy[]> {
  if (from.toString() === to.toString()) return [];
  const entries = await vscode.workspace.fs.readDirectory(from);
  return entries
    .filter(([name]) => name.toLowerCase() !== 'skill.md')
    .map(([name]) => ({ from: vscode.Uri.joinPath(from, name), name }));
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.File;
  } catch {
    return false;
  }
}

// “Skill: Convert for Clients” and conversion after a save (docs/sharing.md, "In VS Code").

/** The rule that reports converted files that were edited or are outdated. */
const RULE = 'generated-skill';

/** Registers the command that writes a skill for its target clients, the conversion after a save, and quick fixes. */
export function serveConversionForClients(server: Pick<SkillServer, 'send'>): vscode.Disposable {
  /** The last message about each saved skill, so that a save does not repeat it. */
  const shown = new Map<string, string>();
  const run = async (place?: unknown): Promise<void> => {
    const source = skillOf(place) ?? vscode.window.activeTextEditor?.document.uri;
    if (!source) return;
    let reply = await emit(server, source, { again: false });
    const unsaved = unsavedIn(reply);
    if (unsaved.length > 0) {
      if (!(await saveBefore(unsaved, source))) return;
      reply = await emit(server, source, { again: false });
    }
    if (!reply) return;
    await reportProblems(server, reply, source);
    await reportTargets(reply);
  };
  /** Writes skills for clients, and says where. The argument comes from a fix of the server. */
  const share = async ({ skills: [first, ...more], clients }: Sharing): Promise<void> => {
    if (first === undefined) return;
    const reply = await emit(server, vscode.Uri.parse(first), { again: false, more, clients });
    if (!reply) return;
    await reportProblems(server, reply);
    const [target, ...others] = 'targets' in reply ? reply.targets.map((uri) => vscode.Uri.parse(uri)) : [];
    if (!target || !('targets' in reply)) return;
    const paths = namesText([target, ...others].map((uri) => vscode.workspace.asRelativePath(uri)));
    const message = reply.isChanged
      ? vscode.l10n.t('Made available: {0}.', paths)
      : vscode.l10n.t('Already available: {0}.', paths);
    const open = vscode.l10n.t('Open');
    // While the command of a fix runs, the editor shows progress, so it does not wait for the message.
    void showInformation(message, open).then((chosen) => (chosen === open ? openFile(target) : undefined));
  };
  const afterSave = async (document: vscode.TextDocument): Promise<void> => {
    const isWanted = vscode.workspace.getConfiguration(SECTION, document.uri).get<boolean>('convert.onSave');
    if (isWanted !== true || !vscode.workspace.isTrusted || !isSkill(document)) return;
    const reply = await emit(server, document.uri, { again: true });
    if (!reply) return;
    if ('targets' in reply && reply.isChanged) {
      const name = document.uri.path.replace(/^.*\//, '');
      vscode.window.setStatusBarMessage(vscode.l10n.t('$(check) Converted {0}', name), STATUS_MS);
    }
    const [unsaved] = unsavedIn(reply);
    if (unsaved) {
      const name = vscode.workspace.asRelativePath(unsaved.uri);
      const message = vscode.l10n.t('$(warning) Not converted: {0} has unsaved changes', name);
      vscode.window.setStatusBarMessage(message, STATUS_MS);
      return;
    }
    const text = JSON.stringify('problem' in reply ? reply.problem : reply.problems);
    const last = shown.get(document.uri.toString());
    shown.set(document.uri.toString(), text);
    if (text !== last) await reportProblems(server, reply, document.uri);
    else if ('problem' in reply || reply.problems.length > 0) {
      const name = document.uri.path.replace(/^.*\//, '');
      vscode.window.setStatusBarMessage(vscode.l10n.t('$(warning) Not converted: {0}', name), STATUS_MS);
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(NEXT_SCHEME, {
      // The texts are not kept, so that a comparison that the editor restores is current.
      provideTextDocumentContent: async (uri) => {
        const { source, target } = JSON.parse(uri.query) as Conversion;
        const reply = await nextTexts(server, { source, target });
        if ('problem' in reply) return reply.problem;
        return reply.files.find((one) => vscode.Uri.parse(one.uri).path === uri.path)?.text ?? '';
      },
    }),
    registerCommand(`${SECTION}.compareConversion`, (one: Conversion) => compare(server, one)),
    registerCommand(`${SECTION}.convertForClients`, run),
    registerCommand(`${SECTION}.shareSkills`, share),
    vscode.workspace.onDidSaveTextDocument((document) => void afterSave(document)),
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**/SKILL.md' },
      {
        provideCodeActions: (document, _range, { diagnostics }) =>
          diagnostics.flatMap((one) => actionsFor(one, document.uri)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

/** The argument of the command that makes skills available to clients. */
interface Sharing {
  /** The URIs of the skills. */
  readonly skills: readonly string[];
  /** The IDs of the clients. */
  readonly clients: readonly string[];
}

/** Returns the documents whose unsaved changes prevented a conversion. */
function unsavedIn(reply: EmitReply | undefined): readonly vscode.TextDocument[] {
  const uris = new Set(reply && 'targets' in reply ? reply.problems.map(({ uri }) => uri) : []);
  return vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uris.has(uri.toString()));
}

/** Saves the documents before a conversion. Asks before it saves others than the source. Returns false to cancel. */
async function saveBefore(documents: readonly vscode.TextDocument[], source: vscode.Uri): Promise<boolean> {
  const others = documents.filter(({ uri }) => uri.toString() !== source.toString());
  if (others.length > 0) {
    const names = others.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
    const save = vscode.l10n.t('Save and Convert');
    const message = vscode.l10n.t('The result would contain unsaved changes of {0}.', names);
    if ((await showWarning(message, save)) !== save) return false;
  }
  for (const document of documents) if (!(await document.save())) return false;
  return true;
}

/** The time for which the status bar shows that a skill was converted. */
const STATUS_MS = 3_000;

/** Returns the actions that compare a file with its next conversion, convert its source again, and open the source. */
function actionsFor(diagnostic: vscode.Diagnostic, target: vscode.Uri): vscode.CodeAction[] {
  const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
  const source = diagnostic.relatedInformation?.[0]?.location.uri;
  if (code !== RULE || !source) return [];
  const action = (title: string, command: string, argument: vscode.Uri | Conversion = source): vscode.CodeAction => {
    const one = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    one.command = { title, command, arguments: [argument] };
    one.diagnostics = [diagnostic];
    return one;
  };
  const conversion = { source: source.toString(), target: target.toString() };
  return [
    action(vscode.l10n.t('Compare with the next conversion'), `${SECTION}.compareConversion`, conversion),
    action(vscode.l10n.t('Convert the source again'), `${SECTION}.convertForClients`),
    action(vscode.l10n.t('Open the source'), 'vscode.open'),
  ];
}

/** The scheme of the documents with the texts that the next conversion would write. */
const NEXT_SCHEME = 'skill-next-conversion';

/** The URIs of a skill and of the `SKILL.md` that was converted from it. */
interface Conversion {
  readonly source: string;
  readonly target: string;
}

async function nextTexts(server: Pick<SkillServer, 'send'>, { source, target }: Conversion): Promise<EmitPreviewReply> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(target))?.uri;
  if (!folder) return { problem: vscode.l10n.t('Only skills in a workspace folder can be converted for clients.') };
  return server
    .send(EmitPreviewRequest, { folder: folder.toString(), uri: source, target })
    .catch((error: unknown) => ({ problem: errorMessage(error) }));
}

/** Shows the files of a conversion on the left, and the texts that the next conversion would write on the right. */
async function compare(server: Pick<SkillServer, 'send'>, conversion: Conversion): Promise<void> {
  const reply = await nextTexts(server, conversion);
  if ('problem' in reply) {
    void showError(vscode.l10n.t('The files cannot be compared: {0}', reply.problem));
    return;
  }
  const sides = reply.files.map(({ uri }): [vscode.Uri, vscode.Uri] => {
    const now = vscode.Uri.parse(uri);
    return [now, vscode.Uri.from({ scheme: NEXT_SCHEME, path: now.path, query: JSON.stringify(conversion) })];
  });
  const [first, ...others] = sides;
  if (!first) {
    void showInformation(vscode.l10n.t('The next conversion would change no text.'));
    return;
  }
  const name = vscode.workspace.asRelativePath(vscode.Uri.parse(conversion.target));
  const title = vscode.l10n.t('{0}: now ↔ next conversion', name);
  await (others.length === 0
    ? vscode.commands.executeCommand('vscode.diff', ...first, title)
    : vscode.commands.executeCommand(
        'vscode.changes',
        title,
        sides.map(([now, next]) => [now, now, next]),
      ));
}

/** Returns the result of writing a skill for its clients; undefined after an error, or outside workspace folders. */
async function emit(
  server: Pick<SkillServer, 'send'>,
  source: vscode.Uri,
  {
    again,
    overwrite = [],
    more,
    clients,
  }: { readonly again: boolean; readonly overwrite?: readonly string[] } & {
    readonly more?: readonly string[];
    readonly clients?: readonly string[];
  },
): Promise<EmitReply | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(source)?.uri;
  if (!folder) {
    if (!again) void showError(vscode.l10n.t('Only skills in a workspace folder can be converted for clients.'));
    return undefined;
  }
  try {
    return await server.send(EmitRequest, {
      folder: folder.toString(),
      uri: source.toString(),
      again,
      ...(more && { more: [...more] }),
      ...(clients && { clients: [...clients] }),
      overwrite: [...overwrite],
      unsaved: vscode.workspace.textDocuments.flatMap((one) => (one.isDirty ? [one.uri.toString()] : [])),
    });
  } catch (error) {
    void showError(vscode.l10n.t('Nothing was converted: {0}', errorMessage(error)));
    return undefined;
  }
}

/** Shows the files that were written, if any, and offers to open the first one. */
async function reportTargets(reply: EmitReply): Promise<void> {
  const [first, ...others] = 'targets' in reply ? reply.targets : [];
  if (!first) return;
  const message = vscode.l10n.t(
    'Converted to {0}.',
    [first, ...others].map((uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri))).join(', '),
  );
  const open = vscode.l10n.t('Open');
  if ((await showInformation(message, open)) === open) await vscode.window.showTextDocument(vscode.Uri.parse(first));
}

/** Shows the first problem. Its buttons open the file with the problem, and overwrite only this target. */
async function reportProblems(server: Pick<SkillServer, 'send'>, reply: EmitReply, source?: vscode.Uri): Promise<void> {
  if ('problem' in reply) {
    const choose = vscode.l10n.t('Choose Clients…');
    const message = vscode.l10n.t('Nothing was converted: {0}', reply.problem);
    const answer = await showError(message, ...(reply.needsClients ? [choose] : []));
    if (answer === choose) await vscode.commands.executeCommand(`${SECTION}.chooseClients`, source);
    return;
  }
  const [first] = reply.problems;
  if (!first) return;
  const open = vscode.l10n.t('Open File');
  const overwrite = vscode.l10n.t('Overwrite');
  const compared = vscode.l10n.t('Compare');
  const buttons = first.isForcible ? [open, compared, overwrite] : [open];
  const chosen = first.isConverted
    ? await showWarning(first.problem, ...buttons)
    : await showError(vscode.l10n.t('Not converted: {0}', first.problem), ...buttons);
  if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.parse(first.uri));
  if (chosen === compared) {
    await compare(server, { source: first.source, target: first.uri });
    // The question is still open.
    await reportProblems(server, reply, source);
  }
  if (chosen !== overwrite) return;
  const next = await emit(server, vscode.Uri.parse(first.source), { again: false, overwrite: [first.uri] });
  if (!next) return;
  await reportProblems(server, next);
  await reportTargets(next);
}
