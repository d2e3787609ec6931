/** The declared samples of a skill as requests to the composer. */
import type { ComposeRequest } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import { unread } from '../../skill/document.ts';
import { closureOf } from '../../workspace/composing.ts';
import { packageOf, surroundingsOf } from '../../workspace/package-of.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';

export interface SampleRequest {
  readonly sample: string;
  readonly request: ComposeRequest;
}

/** Nobody reads more, and a file that has more was written to be slow. */
const MAX_SAMPLES = 50;

/** None where the file declares no samples, or cannot be read. */
export function sampleRequests(index: WorkspaceIndex, uri: string): readonly SampleRequest[] {
  if (!index.documents.get(uri)?.hasSamples) return [];
  const skillPackage = packageOf(index, uri);
  if (!skillPackage) return [];
  const surroundings = surroundingsOf(index, uri);
  const names = new Set(skillPackage.samples.map(({ name }) => name));
  return [...names].slice(0, MAX_SAMPLES).map((sample) => ({
    sample,
    request: prepareRequest(skillPackage, surroundings, sample).request,
  }));
}

/** The same snapshot, in which what is read of the skill and of what it composes goes when the snapshot does. */
export function passing(index: WorkspaceIndex, uri: string): WorkspaceIndex {
  const root = index.graph.skills.get(uri);
  const uris = [uri, ...(root ? closureOf(index.graph, root).map((skill) => skill.uri) : [])];
  const documents = index.documents.withMutations((map) => {
    for (const one of uris) {
      const document = map.get(one);
      if (document) map.set(one, unread(document));
    }
  });
  return { ...index, documents };
}
