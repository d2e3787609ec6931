/** The tests in the editor's Testing view: folders, skills, and their samples, examples, requests and evals. */
import * as vscode from 'vscode';
import {
  type ListedSkill,
  SkillsRequest,
  type TestCase,
  type TestsReply,
  TestsRequest,
} from '../../../../server/src/protocol.ts';
import { findFiles } from '../../language-server/find-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { rangeOf } from '../../locations.ts';
import { SAVED_FILES, watchFiles } from '../../watch-files.ts';
import { folderGroupOf, folderLabel } from '../skills/items.ts';

/** A test of a skill in the view. The children of a test are the questions that only a model can answer. */
export interface TestNode {
  readonly item: vscode.TestItem;
  readonly test: TestCase;
}

/** The selected tests of a skill. `all` can also be used before the tests are known. */
export interface Selected {
  readonly skill: vscode.TestItem;
  readonly tests: readonly TestNode[] | 'all';
}

/**
 * The tree of all skills that have tests. Requests the tests of a skill when the user expands, opens or runs the skill.
 */
export class TestTree {
  readonly #controller: vscode.TestController;
  readonly #server: SkillServer;
  /** The items of skills by URI. */
  readonly #skills = new Map<string, vscode.TestItem>();
  readonly #tests = new WeakMap<vscode.TestItem, TestCase>();
  /** The URI of each `SKILL.md`, with the URI of its folder as the key. */
  readonly #agentSkills = new Map<string, string>();
  /** The URIs of the folders that contain `evals/`. */
  readonly #evalFolders = new Set<string>();
  /** The request for all skills; undefined until the view is shown. */
  #listed: Promise<void> | undefined;

  constructor(controller: vscode.TestController, server: SkillServer) {
    this.#controller = controller;
    this.#server = server;
  }

  /** Requests all skills, once. */
  list(): Promise<void> {
    this.#listed ??= this.#load();
    return this.#listed;
  }

  /** Requests the skills, and the tests that were shown, again. */
  async refresh(): Promise<void> {
    if (this.#listed) this.#listed = this.#load();
    await this.#listed;
    const resolved = [...this.#skills].filter(([, { children }]) => children.size > 0);
    for (const [uri] of resolved) await this.resolve(uri);
  }

  /** Requests and shows the current tests of a file. */
  async resolve(uri: string): Promise<void> {
    const reply = await this.#server.send(TestsRequest, { uri });
    if (reply) this.show(reply);
    else this.#remove(uri);
  }

  /** Updates the skill whose `evals/` was created, changed or deleted, or contains such a file. */
  async changeEvals(file: vscode.Uri): Promise<void> {
    const folder = skillFolderOf(file);
    this.#evalFolders.add(folder);
    const skill = this.#agentSkills.get(folder);
    if (this.#listed && skill !== undefined) await this.resolve(skill);
  }

  /** Returns the skills in the view whose tests use `file`, which is in a folder beside these skills. */
  skillsBeside(file: vscode.Uri): readonly string[] {
    const folder = skillFolderOf(file);
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const near = [...this.#skills].filter(([, { uri }]) => uri && parentOf(uri) === folder);
    const own = near.filter(([, { label }]) => name.startsWith(`${label}.`) || name.startsWith(`${label}@`));
    return (own.length > 0 ? own : near).map(([uri]) => uri);
  }

  isResolved(uri: string): boolean {
    return (this.#skills.get(uri)?.children.size ?? 0) > 0;
  }

  /** Shows changed skills, and searches the evals of new ones, because the editor may report only their folder. */
  async follow(changed: readonly ListedSkill[], gone: readonly string[]): Promise<void> {
    const isAgentSkill = (uri: string): boolean => this.#agentSkills.get(folderOf(uri)) === uri;
    const added = changed.filter(({ uri, dialect }) => dialect === 'agent-skill' && !isAgentSkill(uri));
    this.change(changed, gone);
    if (!this.#listed || added.length === 0) return;
    await this.#findEvals();
    for (const { uri } of added) {
      if (isAgentSkill(uri) && this.#evalFolders.has(folderOf(uri))) await this.resolve(uri);
    }
  }

  change(changed: readonly ListedSkill[], gone: readonly string[]): void {
    for (const uri of gone) {
      this.#remove(uri);
      if (this.#agentSkills.get(folderOf(uri)) === uri) this.#agentSkills.delete(folderOf(uri));
    }
    for (const { uri, name, dialect, tests } of changed) {
      const folder = folderOf(uri);
      if (dialect === 'agent-skill') this.#agentSkills.set(folder, uri);
      const hasEvals = dialect === 'agent-skill' && this.#evalFolders.has(folder);
      // The list of skills does not include the evals, so request them.
      if (tests === 0 && hasEvals) this.resolve(uri).catch(() => undefined);
      else if (tests === 0) this.#remove(uri);
      else if (tests !== null) this.#skill(uri, name);
      // A stopped server is reported elsewhere.
      if (this.isResolved(uri)) this.resolve(uri).catch(() => undefined);
    }
  }

  show({ uri, name, range, tests }: TestsReply): void {
    if (!tests) return;
    if (tests.length === 0) {
      this.#remove(uri);
      return;
    }
    const skill = this.#skill(uri, name);
    skill.range = rangeOf(range);
    skill.canResolveChildren = false;
    skill.children.replace(
      tests.map((test, at) => {
        const file = vscode.Uri.parse(test.uri);
        const item = this.#item(skill.children, `${test.kind}:${test.name}`, labelOf(test), file, at);
        item.range = rangeOf(test.range);
        this.#tests.set(item, test);
        const below = test.semantic.map((one, index) => {
          const label = one.name.slice(test.name.length + ' › '.length);
          const child = this.#item(item.children, semanticId(one.name), label, file, index);
          child.range = rangeOf(one.range);
          return child;
        });
        item.children.replace(below);
        return item;
      }),
    );
  }

  skill(uri: string): vscode.TestItem | undefined {
    return this.#skills.get(uri);
  }

  /** Returns the known tests of a skill. */
  testsOf(skill: vscode.TestItem): readonly TestNode[] {
    return [...skill.children].flatMap(([, item]) => this.node(item) ?? []);
  }

  node(item: vscode.TestItem): TestNode | undefined {
    const test = this.#tests.get(item);
    return test && { item, test };
  }

  /** Returns the tests that a run request selects, grouped by skill, in the order of the view. */
  select({ include, exclude = [] }: vscode.TestRunRequest): readonly Selected[] {
    const left = new Set(exclude);
    const found = new Map<vscode.TestItem, Set<vscode.TestItem> | 'all'>();
    const add = (item: vscode.TestItem): void => {
      if (left.has(item)) return;
      if (this.#skills.get(item.uri?.toString() ?? '') === item) {
        const some = [...item.children].map(([, child]) => child).filter((child) => !left.has(child));
        found.set(item, some.length === item.children.size ? 'all' : new Set(some));
      } else if (!item.uri) for (const [, child] of inOrder(item.children)) add(child);
      else {
        const test = this.#tests.has(item) ? item : item.parent;
        const known = test?.parent && found.get(test.parent);
        if (test?.parent && known !== 'all') found.set(test.parent, new Set([...(known ?? []), test]));
      }
    };
    if (include) include.forEach(add);
    else for (const [, folder] of inOrder(this.#controller.items)) add(folder);
    return [...found].map(([skill, tests]) => ({
      skill,
      tests: tests === 'all' ? tests : [...tests].flatMap((item) => this.node(item) ?? []),
    }));
  }

  async #load(): Promise<void> {
    const [reply] = await Promise.all([this.#server.send(SkillsRequest, {}), this.#findEvals()]);
    const skills = reply?.skills ?? [];
    const known = new Set(skills.map(({ uri }) => uri));
    this.change(
      skills,
      [...this.#skills.keys()].filter((uri) => !known.has(uri)),
    );
  }

  async #findEvals(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const files = await Promise.all(folders.map(({ uri }) => findFiles(uri, ['**/evals/*.{json,yaml,yml}'])));
    const evals = files.flat().filter(({ path }) => /\/evals\/[^/]+\.(?:json|ya?ml)$/.test(path));
    for (const file of evals) this.#evalFolders.add(skillFolderOf(file));
  }

  #skill(uri: string, name: string): vscode.TestItem {
    const file = vscode.Uri.parse(uri);
    const key = folderGroupOf({ uri, dialect: /\/skill\.md$/i.test(file.path) ? 'agent-skill' : 'composer' });
    const id = `folder:${key}`;
    const folder = this.#controller.items.get(id) ?? this.#controller.createTestItem(id, folderLabel(key));
    this.#controller.items.add(folder);
    const isNew = !this.#skills.has(uri);
    const skill = this.#item(folder.children, uri, name, file, undefined);
    if (isNew) skill.canResolveChildren = true;
    folder.children.add(skill);
    this.#skills.set(uri, skill);
    return skill;
  }

  /** Returns the existing item with this ID, or a new item. Items without a `place` are sorted by label. */
  #item(
    siblings: vscode.TestItemCollection,
    id: string,
    label: string,
    file: vscode.Uri,
    place: number | undefined,
  ): vscode.TestItem {
    const known = siblings.get(id);
    const item = known?.uri?.toString() === file.toString() ? known : this.#controller.createTestItem(id, label, file);
    item.label = label;
    if (place !== undefined) item.sortText = String(place).padStart(4, '0');
    return item;
  }

  #remove(uri: string): void {
    const skill = this.#skills.get(uri);
    const folder = skill?.parent;
    this.#skills.delete(uri);
    folder?.children.delete(uri);
    if (folder?.children.size === 0) this.#controller.items.delete(folder.id);
  }
}

/** Returns the folder of a file that the server named. */
const folderOf = (uri: string): string => parentOf(vscode.Uri.parse(uri));

const parentOf = (uri: vscode.Uri): string => vscode.Uri.joinPath(uri, '..').toString();

/** Returns the folder of the skill that a file belongs to; `file` may also be the folder of such files. */
const skillFolderOf = (file: vscode.Uri): string => {
  const [, folder = file.path] = FOLDER_BESIDE.exec(file.path) ?? [];
  return file.with({ path: folder }).toString();
};

const FOLDER_BESIDE = /^(.*)\/(?:evals(?:\/tasks)?|__prompts__|__outputs__)(?:\/[^/]*)?$/;

export const semanticId = (name: string): string => `semantic:${name}`;

/**
 * Returns the label: the name, and for examples and evals also the kind. The kind is not in the description, because a
 * screen reader would read the description instead of the label.
 */
function labelOf({ kind, name }: TestCase): string {
  if (kind === 'example') return vscode.l10n.t('Example: {0}', name);
  return kind === 'evals' ? vscode.l10n.t('Eval: {0}', name) : name;
}

const inOrder = (items: vscode.TestItemCollection): readonly (readonly [string, vscode.TestItem])[] =>
  [...items].sort(([, a], [, b]) => a.label.localeCompare(b.label));

/** The files on disk that tests use: saved prompts, recorded outputs, and evals. */
interface TestFiles extends vscode.Disposable {
  readonly onKeptChanged: vscode.Event<vscode.Uri>;
  readonly onEvalsChanged: vscode.Event<vscode.Uri>;
}

export function watchFilesBeside(): TestFiles {
  const kept = watchFiles(...SAVED_FILES);
  const evals = watchFiles('**/evals/*.{json,yaml,yml}', '**/evals/tasks/*.{yaml,yml}', '**/evals');
  return {
    onKeptChanged: kept.event,
    onEvalsChanged: evals.event,
    dispose: () => {
      kept.dispose();
      evals.dispose();
    },
  };
}
