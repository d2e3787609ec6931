import type { Analysis } from '../../analysis/analysis.ts';
import type { Client } from '../../clients/facts/client.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { placeIn } from '../../clients/matrix/client-folders.ts';
import { type ClientRun, clientRuns } from '../../clients/matrix/client-runs.ts';
import { loaderFor, predictionsFor, stepsOf } from '../../clients/matrix/prediction.ts';
import type { PermissionRules } from '../../clients/pipeline/deliver.ts';
import { isLost } from '../../clients/pipeline/predict.ts';
import type { Draft, RelatedLocation } from '../../finding.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { missingKeySpan, type SkillFile } from '../../skill/skill-file.ts';
import { lineAt } from '../../text.ts';
import { decoded } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS } from './client-findings.ts';

/** A skill whose call needs a permission that a workflow of the repository does not give (docs/clients.md, "Delivered"). */
export const agentSkillRefusedInWorkflow: Rule = {
  name: 'agent-skill-refused-in-workflow',
  severity: 'hint',
  ...ABOUT_CLIENTS,
  *check(file, analysis) {
    const { clientRuns: all } = analysis;
    if (all.isEmpty() || analysis.partial) return;
    const known = [...all].flatMap(([workflow, runs]) => runs.map((run) => ({ workflow, run })));
    for (const id of new Set(known.map(({ run }) => run.client))) {
      const client = findClient(id);
      const permission = client && stepsOf(client).deliver?.permission;
      if (!client || !permission || !isUsable(analysis, file, client, permission)) continue;
      const name = analysis.agentSkills.rowsOf(file, [client], analysis.findLink)[0]?.name ?? '';
      const refusing = known.filter(
        ({ run }) =>
          run.client === id && !isAllowed(run, permission, name) && isFoundAt(analysis, file, client, run.root),
      );
      const places = [...new Set(refusing.map(({ workflow }) => workflow))]
        .sort()
        .flatMap((workflow) => placesIn(analysis, workflow, id, permission, name));
      if (places.length > 0) yield draftFor(file, client, permission, name, places);
    }
  },
};

/** Returns whether the client loads the skill, and its model may call it only with a permission or in a trusted project. */
function isUsable(analysis: Analysis, file: SkillFile, client: Client, { by }: PermissionRules): boolean {
  const subject = analysis.agentSkills.find(file.uri);
  const [row] = analysis.agentSkills.rowsOf(file, [client], analysis.findLink);
  if (!subject || row?.found.outcome !== 'yes' || row.loaded.outcome !== 'yes') return false;
  if (row.listed.outcome !== 'yes' || !['model', 'model-or-name'].includes(row.chosen.outcome)) return false;
  const results =
    predictionsFor(
      loaderFor(client, () => []),
      subject,
    ) ?? [];
  return (
    results.length > 0 &&
    results.every(
      ({ value }) =>
        !isLost(value) && (by === 'trust' || ['yes', 'if-approved'].includes(String(value.admitted.permission))),
    )
  );
}

/** Returns whether the client finds the skill when it starts in a folder, and has no settings there that allow calls. */
function isFoundAt(analysis: Analysis, file: SkillFile, client: Client, root: string): boolean {
  const subject = analysis.agentSkills.find(file.uri);
  const place = subject && placeIn(client, subject);
  if (!place || !file.uri.startsWith(`${root}/${place.dir.path}/`)) return false;
  const settings = client.ownFolders.map((folder) => `${root}/${folder.split('/')[0]}/settings.json`);
  return settings.length > 0 && settings.every((uri) => analysis.exists(uri) === false);
}

/** Returns whether a command line allows the model's call of a skill. A rule that may match its name allows it. */
function isAllowed({ allows }: ClientRun, { by, allow }: PermissionRules, name: string): boolean {
  if (allows === 'all') return true;
  const [tool = ''] = allow.split('(');
  return by === 'rule' && allows.some((rule) => rule === tool || (rule.startsWith(`${tool}(`) && mayMatch(rule, name)));
}

const mayMatch = (rule: string, name: string): boolean => rule.includes('*') || rule.includes(name);

/** Returns the commands in a workflow that refuse the skill. */
function placesIn(
  analysis: Analysis,
  workflow: string,
  id: string,
  permission: PermissionRules,
  name: string,
): readonly (RelatedLocation & { readonly line: string })[] {
  const file = analysis.file(workflow);
  if (!file) return [];
  return clientRuns(file)
    .filter((run) => run.client === id && !isAllowed(run, permission, name))
    .map(({ span, root }) => ({
      uri: workflow,
      span,
      message: 'The command without the permission is here.',
      line: `\`${decoded(workflow.slice(root.length + 1))}\`, line ${lineAt(file.lines, span.start) + 1}`,
    }));
}

function draftFor(
  file: SkillFile,
  client: Client,
  { command, by, allow, gives, otherwise }: PermissionRules,
  name: string,
  places: readonly (RelatedLocation & { readonly line: string })[],
): Draft {
  const { root } = file.frontmatter.tree;
  const entries = stepsOf(client).admit.rules.flatMap(({ key, answers }) =>
    answers.permission === undefined ? [] : (findEntry(root, key) ?? []),
  );
  const [entry] = entries;
  const because = entry ? ` because of \`${String(entry.key.value)}\`` : '';
  const refuses = otherwise === 'not-offered' ? 'does not offer this skill to its model' : 'refuses this skill';
  const help =
    by === 'rule'
      ? `Add \`--allowedTools "${allow.replaceAll('{name}', name)}"\`.`
      : `Add \`${allow}\`${gives === undefined ? '' : `, which ${gives}`}.`;
  return {
    span: entry?.key.span ?? missingKeySpan(file),
    message: `\`${command}\` ${refuses}${because} (${places[0]?.line}). ${help}`,
    related: places.map(({ uri, span, message }) => ({ uri, span, message })),
  };
}
