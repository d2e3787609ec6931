import type { FolderFile } from '../../abilities/folder.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  interpreterOf,
  isScriptFile,
  isShellScript,
  type ScriptUse,
  scriptUses,
} from '../../skill-folder/script-calls.ts';
import { span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** A call of a script of the skill that fails: without the executable bit, without `#!`, or with CRLF line endings. */
export const scriptCall: Rule = {
  name: 'script-call',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'POSIX.1-2024, Shell Command Language, "Command Search and Execution"' },
  dialects: ['agent-skill'],
  isDecided: (file, analysis) => analysis.folder(file.uri) !== undefined,
  *check(file, analysis) {
    const scripts = new Map(
      (analysis.folder(file.uri)?.files ?? []).filter(isScriptFile).map((one) => [one.path, one]),
    );
    if (scripts.size === 0) return;
    const uses = scriptUses(file, (path) => scripts.has(path));
    for (const path of new Set(uses.map((one) => one.path))) {
      const script = scripts.get(path) as FolderFile;
      const ofPath = uses.filter((one) => one.path === path);
      const direct = ofPath.filter(({ isDirect }) => isDirect);
      yield* lineEndDraft(script, ofPath, direct);
      yield* directDraft(file, script, direct);
    }
  },
};

function* lineEndDraft(
  script: FolderFile,
  [first]: readonly ScriptUse[],
  [direct]: readonly ScriptUse[],
): Iterable<Draft> {
  const hasCrlf = script.text?.includes('\r\n') === true && script.isCommittedWithLf !== true;
  const use = isShellScript(script) ? first : script.text?.startsWith('#!') ? direct : undefined;
  if (!hasCrlf || !use) return;
  yield {
    span: use.span,
    severity: 'warning',
    message: `The lines of \`${script.path}\` end with CRLF, so it fails on Linux and macOS. Save it with LF, and add \`eol=lf\` for it to \`.gitattributes\`.`,
  };
}

function* directDraft(file: SkillFile, script: FolderFile, direct: readonly ScriptUse[]): Iterable<Draft> {
  const [first, ...others] = direct;
  if (!first) return;
  const hasMark = script.text?.startsWith('#!') === true;
  const faults = [
    ...(script.isExecutable === false ? ['is not executable'] : []),
    ...(hasMark || direct.every(({ isNamed }) => isNamed) ? [] : ['has no `#!` line']),
  ];
  if (faults.length === 0) return;
  const interpreter = interpreterOf(script);
  const otherwise = script.isExecutable === false ? `run \`git update-index --chmod=+x\` on it` : 'add the line';
  yield {
    span: first.span,
    message: `\`${script.path}\` ${faults.join(' and ')}, so this call may fail. ${
      interpreter === undefined
        ? `${otherwise.charAt(0).toUpperCase()}${otherwise.slice(1)}`
        : `Call it with \`${interpreter}\`, or ${otherwise}`
    }.`,
    related: placesHere(file, others, 'This call, too.'),
    fixes:
      interpreter === undefined
        ? []
        : fixHere(
            file,
            `Call it with \`${interpreter}\``,
            direct.map(({ word }) => ({ span: span(word.start, word.start), newText: `${interpreter} ` })),
          ),
  };
}
