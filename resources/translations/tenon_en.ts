<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- English needs its plural forms only. Bring up to date with: lupdate -pluralonly ui app -ts resources/translations/tenon_en.ts -->
<TS version="2.1" language="en_US">
<context>
    <name>tenon::ui::TopBar</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation><numerusform>%n problem</numerusform><numerusform>%n problems</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation><numerusform>%n warning</numerusform><numerusform>%n warnings</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation><numerusform>CPU, %n thread</numerusform><numerusform>CPU, %n threads</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::SessionNotices</name>
    <message numerus="yes">
        <source>The training cannot start: %n problem(s)</source>
        <translation><numerusform>The training cannot start: %n problem</numerusform><numerusform>The training cannot start: %n problems</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::BlockListView</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n block</numerusform><numerusform>%n blocks</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n block(s)</source>
        <translation><numerusform>%1 of %n block</numerusform><numerusform>%1 of %n blocks</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::StepGraphView</name>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation><numerusform>%n operation</numerusform><numerusform>%n operations</numerusform></translation>
    </message>
</context>
<context>
    <name>StepGraph</name>
    <message numerus="yes">
        <source>%n gradient(s)</source>
        <translation><numerusform>%n gradient</numerusform><numerusform>%n gradients</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n kernel(s)</source>
        <translation><numerusform>%1 in %n kernel</numerusform><numerusform>%1 in %n kernels</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s); Enter shows them</source>
        <translation><numerusform>%n operation; Enter shows it</numerusform><numerusform>%n operations; Enter shows them</numerusform></translation>
    </message>
</context>
</TS>
