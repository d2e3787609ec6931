import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { pathsOfClient, skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { findValue, mapEntries, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import { isInFolder, pathOfFolder } from '../../workspace/catalog.ts';
import type { Rule } from '../engine/rule.ts';

/**
 * Reports a path under `agent_skills.only`, and the folder of a framework under `agent_skills.clients`, that is not the
 * folder of a skill, so that the entry has no effect.
 */
export const unknownSkillsFolder: Rule = {
  name: 'unknown-skills-folder',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/clients.md, "Skills for some of the clients"' },
  dialects: ['catalog'],
  *check(file, analysis) {
    const targets = findValue(file.frontmatter.tree.root, 'agent_skills');
    const only = mapEntries(findValue(targets, 'only')).flatMap(({ key }) => {
      const path = stringOf(key);
      return path === undefined ? [] : [{ path, span: key.span }];
    });
    const named = findValue(targets, 'clients');
    const ofFrameworks = (named?.kind === 'list' ? named.items : []).flatMap((item) => frameworkIn(file, item));
    const places = [...only, ...ofFrameworks];
    if (places.length === 0 || analysis.partial) return;
    const folders = foldersBelow(analysis, file);
    // Without any skill, they are still to be written.
    if (only.length === 0 && folders.skills.length === 0) return;
    for (const { path, span: at } of places) {
      const folder = pathOfFolder(path).trim();
      if (folder === '') {
        yield { span: at, message: NO_FOLDER };
        continue;
      }
      if (folders.skills.some((one) => isInFolder(one, folder))) continue;
      const near = nearestNames(folder, folders.parents);
      const advice = near.length > 0 ? didYouMean(near) : ' Correct the path, or remove it.';
      yield {
        span: at,
        message: `No skill below this catalog is in a folder \`${path}\`.${advice}`,
        fixes: replaceName(file, [at], near),
      };
    }
  },
};

const NO_FOLDER =
  'This path names no folder below the catalog. Write a path such as `.claude/skills`, or remove the entry.';

interface Place {
  readonly path: string;
  /** The path in the file. */
  readonly span: Span;
}

/** Returns the folder in the name of a framework, such as `src/skills` in `mastra:src/skills`. */
function frameworkIn({ text }: SkillFile, node: YamlNode): readonly Place[] {
  const client = findClient(stringOf(node) ?? '');
  const [path] = client?.framework ? pathsOfClient(client) : [];
  const written = sliceOf(text, node.span);
  // The name of the framework may contain the path, as in `mastra:a`.
  const at = path === undefined ? -1 : written.indexOf(path, written.indexOf(':') + 1);
  return path === undefined || at < 0
    ? []
    : [{ path, span: span(node.span.start + at, node.span.start + at + path.length) }];
}

/** Returns the paths of the skills that a catalog governs, and those of the folders that contain skills. */
function foldersBelow(analysis: Analysis, { uri }: SkillFile) {
  const root = folderOf(uri);
  const own = [...analysis.agentSkills.subjects].filter((one) => analysis.findCatalog(one.uri)?.uri === uri);
  const pathOf = (folder: string): string => decoded(folder.slice(root.length + 1));
  const parents = own.flatMap((one) => [pathOf(folderOf(folderOf(one.uri))), skillsFolderOf(one)?.path ?? '']);
  return {
    skills: own.map((one) => pathOf(folderOf(one.uri))),
    parents: [...new Set(parents)].filter((path) => path !== ''),
  };
}
