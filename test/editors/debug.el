;;; debug.el --- A debug session with dap-mode.  -*- lexical-binding: t; -*-

;; What came of each step goes to $SEEN as JSON.

(require 'json)

(defvar seen nil)
(defvar stops 0)
(defvar ended nil)
(defvar places nil)
(add-hook 'dap-stopped-hook (lambda (_) (setq stops (1+ stops))))
(add-hook 'dap-terminated-hook (lambda (_) (setq ended t)))

(defun note (key value) (push (cons key value) seen))

(defun wait (what ready)
  (with-timeout (20 (error "Waited in vain for %s" what))
    (while (not (funcall ready)) (accept-process-output nil 0.05))))

(defun session () (dap--cur-session))

(defun frame () (and (session) (dap--debug-session-active-frame (session))))

;; Moves, and returns where the run stops next, once the frames of this stop have arrived.
(defun after (move)
  (let ((before stops) (old (frame)))
    (funcall move)
    (wait "a stop" (lambda () (or ended (and (> stops before) (frame) (not (eq (frame) old))))))
    (if ended "end" (format "%s at %s" (gethash "name" (frame)) (gethash "line" (frame))))))

(defun go () (dap-continue (session) (dap--debug-session-thread-id (session))))

;; Writes a line in the console, as a person would.
(defun answer (line)
  (dap-ui-repl)
  (with-current-buffer "*dap-ui-repl*"
    (goto-char (point-max))
    (insert line)
    (comint-send-input)))

(defun sit ()
  (find-file "plan-visit.skill.md")
  (search-forward "- step: write-note")
  (dap-breakpoint-add)
  (dolist (move (list (lambda () (dap-debug '(:type "skill" :request "launch" :name "Skill")))
                      (lambda () (answer "answer(true)"))
                      (lambda () (answer "answer(true)"))
                      #'go))
    (push (after move) places)))

(condition-case problem
    (sit)
  (error (note 'problem (error-message-string problem))))
(note 'stops (vconcat (reverse places)))
(with-temp-file (getenv "SEEN") (insert (json-encode seen)))
(kill-emacs)
;;; debug.el ends here
