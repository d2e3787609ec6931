/**
 * “Skill: See What a Client Sends…”: runs an installed client once after a question, and shows what it sent beside the
 * prediction, in the editor's view for differences (docs/observing.md, "In VS Code").
 */
import * as vscode from 'vscode';
import {
  type ListedClient,
  ObservableRequest,
  type ObserveReply,
  ObserveRequest,
  type ObservingPlan,
  PlanObservingRequest,
  SECTION,
} from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../notify.ts';
import { errorMessage } from '../plain-message.ts';
import { chooseWorkspaceFolder } from './choose-folder.ts';
import { registerCommand } from './first-steps.ts';

const SCHEME = 'skill-observed';

type Server = Pick<SkillServer, 'send' | 'serverPathFor'>;
type Observed = Exclude<ObserveReply, { readonly problem: string }>;
type Kind = keyof ObservingPlan['others'];

/** Registers the command, its documents, and the command that saves the report of the shown run. */
export function serveObserving(server: Server): vscode.Disposable {
  /** The last runs, by their number, with which the paths of their documents begin. */
  const runs = new Map<string, Observed>();
  const runOf = ({ path }: vscode.Uri): Observed | undefined => runs.get(path.split('/')[1] ?? '');
  let count = 0;
  const show = async (observed: Observed): Promise<void> => {
    count += 1;
    // By default, the editor wraps the lines of Markdown, and compares the white space at their ends.
    const uriOf = (query: 'predicted' | 'sent', side: string): vscode.Uri => {
      const path = `/${count}/${observed.name.replaceAll('/', '∕')}: ${side}.md`;
      return vscode.Uri.from({ scheme: SCHEME, path, query });
    };
    const [predicted, sent] = [uriOf('predicted', vscode.l10n.t('predicted')), uriOf('sent', vscode.l10n.t('sent'))];
    runs.set(String(count), observed).delete(String(count - MAX_RUNS));
    const title = vscode.l10n.t('{0}: predicted ↔ sent', observed.name);
    await vscode.commands.executeCommand('vscode.diff', predicted, sent, title, { preview: false });
    await report(observed);
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      // After a reload, the editor restores documents of a run that is gone.
      provideTextDocumentContent: (uri) => {
        const observed = runOf(uri);
        return observed ? (uri.query === 'sent' ? observed.sent : observed.predicted) : isGone();
      },
    }),
    registerCommand(`${SECTION}.observeClient`, () => observeClient(server, show)),
    registerCommand(`${SECTION}.saveObserved`, async (shown?: unknown) => {
      const uri = shown instanceof vscode.Uri ? shown : vscode.window.activeTextEditor?.document.uri;
      const observed = uri?.scheme === SCHEME ? runOf(uri) : undefined;
      if (observed) await saveReport(observed);
      else void showWarning(isGone());
    }),
  );
}

/** The number of runs whose reports can still be saved. A closed document may be open again, for example in another language. */
const MAX_RUNS = 10;

const isGone = (): string => vscode.l10n.t('The result of this run is gone. Run the client again.');

async function observeClient(server: Server, show: (observed: Observed) => Promise<void>): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void showWarning(vscode.l10n.t('Clients are only run in a trusted workspace. Trust this workspace first.'));
    return;
  }
  const root = await chooseWorkspaceFolder();
  if (root === undefined) return;
  if (root.scheme !== 'file' || server.serverPathFor(root) === undefined) {
    void showWarning(vscode.l10n.t('A client can only be run on the computer that has the folder.'));
    return;
  }
  try {
    const observed = await run(server, root.toString());
    if (observed === undefined) return;
    if ('problem' in observed) void showWarning(observed.problem);
    else await show(observed);
  } catch (error) {
    void showError(vscode.l10n.t('The client was not run: {0}', errorMessage(error)));
  }
}

/** Returns the result; undefined if the user cancelled. */
async function run(server: Server, folder: string): Promise<ObserveReply | undefined> {
  const client = await pickClient(server, folder);
  if (client === undefined || typeof client !== 'string') return client;
  const first = await server.send(PlanObservingRequest, { folder, client, others: [] });
  if ('problem' in first) return first;
  const picked = await pickOthers(first);
  if (picked === undefined) return undefined;
  const others = picked.map(({ of }) => of);
  // The other files may be left out, or leave no room for the files of skills.
  const plan = others.length === 0 ? first : await server.send(PlanObservingRequest, { folder, client, others });
  if ('problem' in plan) return plan;
  if (!(await agrees(plan, picked))) return undefined;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Running {0}', plan.name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (_, token) =>
    server.send(ObserveRequest, { plan: plan.plan }, token).catch((error: unknown) => {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }),
  );
}

interface ClientItem extends vscode.QuickPickItem {
  readonly client?: ListedClient;
}

/** Returns the ID of the chosen client; a problem for one that is not run. */
async function pickClient(server: Server, folder: string): Promise<string | { readonly problem: string } | undefined> {
  const listed = server.send(ObservableRequest, { folder });
  const items = listed.then((reply): readonly ClientItem[] => {
    if ('problem' in reply) throw new Error(reply.problem);
    const { clients } = reply;
    const isInstalled = (one: ListedClient): boolean => 'program' in one && one.program !== null;
    const group = (label: string, ones: readonly ListedClient[]): readonly ClientItem[] =>
      ones.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...ones.map(itemOf)];
    return [
      ...group(vscode.l10n.t('Installed'), clients.filter(isInstalled)),
      ...group(
        vscode.l10n.t('Not installed'),
        clients.filter((one) => 'program' in one && !isInstalled(one)),
      ),
      ...group(
        vscode.l10n.t('Cannot be run'),
        clients.filter((one) => 'reason' in one),
      ),
    ];
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('See What a Client Sends'),
    placeHolder: vscode.l10n.t('Select the client to run once'),
    matchOnDescription: true,
  });
  const client = picked?.client;
  return client && ('reason' in client ? { problem: client.reason } : client.id);
}

function itemOf(client: ListedClient): ClientItem {
  const { name: label } = client;
  if ('reason' in client) return { label, client, description: client.reason };
  const { program, version } = client;
  if (program === null) return { label, client, description: `npm install --global ${client.package}` };
  return { label, client, description: [version, program].filter(Boolean).join(' · ') };
}

interface KindItem extends vscode.QuickPickItem {
  readonly of: Kind;
}

/** Asks which other files are copied, if there are any. Returns undefined if the user cancelled. */
async function pickOthers({ others }: ObservingPlan): Promise<readonly KindItem[] | undefined> {
  const kinds: readonly KindItem[] = [
    { of: 'agents', label: vscode.l10n.t('Agents') },
    { of: 'commands', label: vscode.l10n.t('Commands') },
    { of: 'plugins', label: vscode.l10n.t('Manifests of plugins') },
  ];
  const items = kinds.flatMap((item) => {
    const files = others[item.of];
    const description = files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files);
    return files === 0 ? [] : [{ ...item, description }];
  });
  if (items.length === 0) return [];
  return vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('What else is copied?'),
    placeHolder: vscode.l10n.t('Skills are always copied. Files that name hooks or servers never are.'),
  });
}

/** Asks whether the program may be started. */
async function agrees(plan: ObservingPlan, others: readonly KindItem[]): Promise<boolean> {
  const { name, program, version, knownVersion, skills, installed, folder, leftOut, missing, contacts } = plan;
  const go = vscode.l10n.t('Run Once');
  const versionText =
    version === null
      ? vscode.l10n.t('version not known')
      : version === knownVersion
        ? vscode.l10n.t('version {0}', version)
        : vscode.l10n.t('version {0}; the predictions are for {1}', version, knownVersion ?? '?');
  const detail = [
    vscode.l10n.t('Program: {0} ({1})', program, versionText),
    [
      skills === 1 ? vscode.l10n.t('Copied: 1 skill, as saved') : vscode.l10n.t('Copied: {0} skills, as saved', skills),
      ...(installed > 0 ? [vscode.l10n.t('{0} of them into {1}', installed, folder)] : []),
      ...(others.length > 0 ? [vscode.l10n.t('also {0}', others.map(({ label }) => label).join(', '))] : []),
    ].join(', '),
    ...(leftOut === '' ? [] : [vscode.l10n.t('Not copied: {0}', leftOut)]),
    ...(missing === null
      ? []
      : [vscode.l10n.t('{0} is not installed, so {1} loads no skill: only its list is shown.', missing, name)]),
    vscode.l10n.t(
      'It runs in a temporary folder with a home of its own, which are removed. It gets no key of yours, and no hooks, servers or settings.',
    ),
    vscode.l10n.t(
      'Its model is on this machine. Telemetry and updates are off where the client has documented settings, and its proxy refuses all connections. This cannot be promised for a client that ignores these settings: it can reach the network and your files.',
    ),
    ...(contacts.length > 0
      ? [vscode.l10n.t('{0} was seen to ask for {1} all the same.', name, contacts.join(', '))]
      : []),
  ].join('\n\n');
  const question = vscode.l10n.t('Run {0} once?', name);
  return (await showInformation(question, { modal: true, detail }, go)) === go;
}

/** Says how much is as predicted. */
async function report(observed: Observed): Promise<void> {
  const { name, differences, unknown, texts } = observed;
  const save = vscode.l10n.t('Save Report…');
  const message =
    differences === 0
      ? unknown === 0
        ? vscode.l10n.t('{0} sent what is predicted.', name)
        : vscode.l10n.t('{0}: no difference, but {1} of {2} texts have no exact prediction.', name, unknown, texts)
      : vscode.l10n.t('{0}: {1} of {2} texts differ from the prediction.', name, differences, texts);
  void (differences === 0 ? showInformation : showWarning)(message, save).then(async (answer) => {
    if (answer === save) await saveReport(observed);
  });
}

async function saveReport({ name, report: text }: Observed): Promise<void> {
  const file = `${name.toLowerCase().replaceAll(/\W+/g, '-')}-observed.md`;
  const [root] = vscode.workspace.workspaceFolders ?? [];
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Report'),
    ...(root && { defaultUri: vscode.Uri.joinPath(root.uri, file) }),
    filters: { Markdown: ['md'] },
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(target);
  } catch (error) {
    void showError(vscode.l10n.t('The report was not saved: {0}', errorMessage(error)));
  }
}
