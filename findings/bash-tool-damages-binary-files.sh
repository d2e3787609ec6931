#!/usr/bin/env bash
# Finding: bash-tool reads every file of a skill as UTF-8, also images and archives. Each byte that is not UTF-8 becomes a replacement
# character, so that 8 bytes reach the sandbox as 18. There is no error, and the file is listed as any other.
# Guess before running: the bytes are kept, or a file that is not text is left out.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps bash-tool@1.3.19 ai@7.0.173 just-bash@3.4.2
for name in bash-tool ai just-bash; do echo "$name $(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"; done
mkdir -p skills/sorter/assets
printf -- '---\nname: sorter\ndescription: Sorts stamps.\n---\n\nUse the image.\n' > skills/sorter/SKILL.md
printf '\x89PNG\xff\xfe\x80\x81' > skills/sorter/assets/mark.png
cat > run.mjs <<'JS'
import { statSync } from 'node:fs';
import { createBashTool, experimental_createSkillTool as createSkillTool } from 'bash-tool';
const { files, skills } = await createSkillTool({ skillsDirectory: 'skills' });
const { sandbox } = await createBashTool({ files });
console.log(`listed: ${skills[0].files.sort().join(' ')}`);
console.log(`bytes on disk: ${statSync('skills/sorter/assets/mark.png').size}`);
console.log(`bytes in the sandbox: ${(await sandbox.executeCommand('wc -c < skills/sorter/assets/mark.png')).stdout.trim()}`);
console.log(`text: ${JSON.stringify(files['./skills/sorter/assets/mark.png']).replaceAll('\ufffd', '<U+FFFD>')}`);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
listed: SKILL.md assets/mark.png
bytes on disk: 8
bytes in the sandbox: 18
text: "<U+FFFD>PNG<U+FFFD><U+FFFD><U+FFFD><U+FFFD>"
SEEN
