{{- define "quern.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
{{- define "quern.selector" -}}
app.kubernetes.io/name: quern
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.labels" -}}
{{ include "quern.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "quern.webhook.selector" -}}
app.kubernetes.io/name: quern-webhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.webhook.labels" -}}
{{ include "quern.webhook.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "quern.record.selector" -}}
app.kubernetes.io/name: quern-record
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "quern.record.labels" -}}
{{ include "quern.record.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
