/** Skills in the editor's Testing view. Nothing is composed until the user runs a test. */
import * as vscode from 'vscode';
import { RefreshRequest, SECTION } from '../../../../server/src/protocol.ts';
import { savePrompt } from '../../commands/apply-saved.ts';
import { registerCommand } from '../../commands/first-steps.ts';
import { isSkill, selectorFor, servedGlobs } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { followChanges } from './continuous.ts';
import type { Models } from './model/editor-model.ts';
import { serveModelRuns } from './model/run-with-model.ts';
import { TestRunner } from './runner.ts';
import { TestTree, watchFilesBeside } from './tree.ts';

export function serveTests(server: SkillServer, log: vscode.LogOutputChannel, models: Models): vscode.Disposable {
  const controller = vscode.tests.createTestController(`${SECTION}.tests`, vscode.l10n.t('Skills'));
  const tree = new TestTree(controller, server);
  const runner = new TestRunner(tree, server);
  const beside = watchFilesBeside();
  const logged = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => log.debug(`tests: ${errorMessage(error)}`));

  const runAll = async (request: vscode.TestRunRequest, concerned: ReadonlySet<string> | null): Promise<void> => {
    await logged(tree.list());
    const selected = tree
      .select(request)
      .filter(({ skill }) => concerned === null || concerned.has(skill.uri?.toString() ?? ''));
    if (selected.length === 0 && concerned !== null) return;
    const run = controller.createTestRun(request);
    for (const one of selected) {
      for (const { item } of runner.testsOf(one)) run.enqueued(item);
    }
    try {
      for (const one of selected) {
        if (run.token.isCancellationRequested) break;
        await runner.run(run, one);
      }
    } finally {
      run.end();
    }
  };

  const keptChanged = new vscode.EventEmitter<readonly string[]>();
  const { onTextSent, onComposableChanged } = server;
  const changes = { onTextSent, onComposableChanged, onSavedChanged: keptChanged.event };
  const profile = controller.createRunProfile(
    vscode.l10n.t('Run without a Model'),
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      if (!request.continuous) return runAll(request, null);
      const { include, exclude } = request;
      // `preserveFocus` prevents a continuous run from interrupting typing.
      const again = new vscode.TestRunRequest(include, exclude, profile, true, true);
      const following = followChanges(changes, (uris) => void logged(runAll(again, uris)));
      token.onCancellationRequested(() => following.dispose());
      return runAll(again, null);
    },
    true,
    undefined,
    true,
  );

  controller.resolveHandler = async (item) => {
    const uri = item?.uri?.toString();
    await logged(uri === undefined ? tree.list() : tree.resolve(uri));
  };
  controller.refreshHandler = async () => {
    await logged(server.send(RefreshRequest, {}).then(() => tree.refresh()));
  };

  const showOpen = (document: vscode.TextDocument): void => {
    if (isSkill(document)) void logged(tree.resolve(document.uri.toString()));
  };
  const following = followChanges(server, (uris) => {
    for (const document of vscode.workspace.textDocuments) {
      if (uris === null || uris.has(document.uri.toString())) showOpen(document);
    }
  });
  vscode.workspace.textDocuments.forEach(showOpen);

  const keep = async (uri: string, sample: string): Promise<void> => {
    if (!(await savePrompt(server, uri, sample))) return;
    await logged(tree.resolve(uri));
    const skill = tree.skill(uri);
    const kept = skill && tree.testsOf(skill).find(({ test }) => test.kind === 'sample' && test.name === sample);
    if (kept) await runAll(new vscode.TestRunRequest([kept.item], undefined, profile, false, true), null);
  };
  return vscode.Disposable.from(
    controller,
    profile,
    following,
    beside,
    keptChanged,
    beside.onKeptChanged((file) => keptChanged.fire(tree.skillsBeside(file))),
    beside.onEvalsChanged(
      (file) => void logged(tree.changeEvals(file).then(() => keptChanged.fire(tree.skillsBeside(file)))),
    ),
    serveModelRuns(controller, tree, runner, server, models),
    server.onStarted(() => void logged(tree.refresh())),
    server.onSkillsChanged(({ changed, gone }) => void logged(tree.follow(changed, gone))),
    vscode.workspace.onDidOpenTextDocument(showOpen),
    // The preview and a fix pass a sample; the menus of tests pass an item.
    registerCommand(`${SECTION}.keepTestedPrompt`, async (target: unknown) => {
      const { uri, sample } = sampleOf(target) ?? {};
      if (uri !== undefined && sample !== undefined) await keep(uri, sample);
    }),
    vscode.languages.registerCodeActionsProvider(
      selectorFor(servedGlobs()),
      {
        provideCodeActions: ({ uri }, range) =>
          [...runner.changedPrompts(uri)]
            .filter(([sample, place]) => {
              const item = tree.skill(uri.toString())?.children.get(`sample:${sample}`);
              return [place, item?.range].some((one) => one && touchesLine(one, range));
            })
            .map(([sample]) => keepAction(uri, sample)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

const touchesLine = (place: vscode.Range, range: vscode.Range): boolean =>
  place.start.line <= range.end.line && range.start.line <= place.end.line;

function keepAction(uri: vscode.Uri, sample: string): vscode.CodeAction {
  const title = vscode.l10n.t('Save the current prompt of {0}', sample);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: `${SECTION}.keepTestedPrompt`, title, arguments: [{ uri: uri.toString(), sample }] };
  return action;
}

/** Returns the sample of a test item or of its message. */
function sampleOf(target: unknown): { readonly uri?: string; readonly sample?: string } | undefined {
  const { test, uri, sample } = (target ?? {}) as Readonly<Record<'test' | 'uri' | 'sample', unknown>>;
  if (typeof uri === 'string' && typeof sample === 'string') return { uri, sample };
  const { id, uri: file } = (test ?? target ?? {}) as Partial<vscode.TestItem>;
  return id?.startsWith('sample:') && file ? { uri: file.toString(), sample: id.slice('sample:'.length) } : undefined;
}
