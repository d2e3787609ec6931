/** Checks skills as if their files had other content. Nothing is written. */
import { Workspace } from '../../analysis/workspace.ts';
import type { Finding } from '../../finding.ts';
import { nodeFiles } from '../../io/node-files.ts';
import { readSurroundings } from '../../io/project.ts';
import { type FindingView, findingsIn } from '../../reports/json.ts';
import { check } from '../../rules/engine/check.ts';
import { composeSamples } from '../../services/composing/compose-samples.ts';
import type { Composing } from '../../services/composing/composing.ts';
import { mentionsOf } from '../../workspace/composition-lookups.ts';
import type { ServedFolders } from './served-folders.ts';

export interface Edit {
  readonly uri: string;
  /** Undefined deletes the file. */
  readonly text: string | undefined;
}

/** Returns a copy of the workspace with other content. The workspace of the served folders does not change. */
export function draftOf({ workspace }: ServedFolders, edits: readonly Edit[]): Workspace {
  const draft = new Workspace(workspace.index);
  for (const { uri, text } of edits) {
    draft.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text });
  }
  return draft;
}

export class Checking {
  readonly #folders: ServedFolders;
  readonly #composing: Composing;

  constructor(folders: ServedFolders, composing: Composing) {
    this.#folders = folders;
    this.#composing = composing;
  }

  /** Returns all findings of a file, including findings about samples and links. */
  async findings(draft: Workspace, uri: string): Promise<readonly Finding[]> {
    const composed = await composeSamples(this.#composing, draft.analysis, uri);
    if (composed) draft.apply({ kind: 'samples', uri, failures: composed.failures });
    await readSurroundings({ workspace: draft, linked: this.#folders.linked, files: nodeFiles }, uri);
    const file = draft.analysis.file(uri);
    return file ? check(file, draft.analysis) : [];
  }

  view(draft: Workspace, uri: string, findings: readonly Finding[]): readonly FindingView[] {
    const { fileOf } = this.#folders;
    const textOf = (one: string) => draft.index.files.get(one)?.text;
    return findingsIn({
      files: [{ file: fileOf(uri), text: textOf(uri) ?? '', findings }],
      findFile(other) {
        const text = textOf(other) ?? draft.analysis.folder(uri)?.find(other)?.text;
        return text === undefined ? undefined : { file: fileOf(other), text };
      },
    });
  }

  /**
   * Returns the new errors in other files that mention an edited skill. At most `MOST_ELSEWHERE` of these files are
   * checked.
   */
  async errorsElsewhere(draft: Workspace, edits: readonly Edit[], about: string) {
    const edited = new Set(edits.map(({ uri }) => uri));
    const before = this.#folders.workspace;
    const { graph } = draft.index;
    const others = [...edited].flatMap((uri) =>
      [before, draft].flatMap(({ index }) => {
        const summary = index.graph.skills.get(uri)?.summary;
        return summary ? [...mentionsOf(graph, summary)] : [];
      }),
    );
    const near = [...new Set(others)].filter((uri) => uri !== about && !edited.has(uri)).sort();
    const found: FindingView[] = [];
    for (const uri of near.slice(0, MOST_ELSEWHERE)) {
      const [old, now] = [before, draft].map((one) => {
        const file = one.analysis.file(uri);
        return file ? check(file, one.analysis).filter(({ severity }) => severity === 'error') : [];
      });
      const known = new Set(old?.map(({ rule, message }) => `${rule} ${message}`));
      const fresh = now?.filter(({ rule, message }) => !known.has(`${rule} ${message}`)) ?? [];
      found.push(...this.view(draft, uri, fresh));
    }
    return { elsewhere: found, notChecked: Math.max(0, near.length - MOST_ELSEWHERE) };
  }
}

/** The maximum number of other files that are checked. */
const MOST_ELSEWHERE = 30;
