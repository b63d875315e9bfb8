package dev.idem.spring;

import dev.idem.Idem;
import dev.idem.agent.tool.Once;
import dev.idem.springai.IdemTools;
import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Guards the tools that models of Spring AI call: every {@link ToolCallingManager} hands them to sessions of Idem. */
@AutoConfiguration(after = IdemAutoConfiguration.class)
@ConditionalOnClass(ToolCallingManager.class)
@ConditionalOnProperty(name = "idem.tools.enabled", havingValue = "true", matchIfMissing = true)
public class IdemToolsAutoConfiguration {
    @Bean
    static BeanPostProcessor idemToolProcessor(ListableBeanFactory beans) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof ToolCallingManager manager
                        ? new LazyToolCallingManager(manager, () -> guarded(beans, manager))
                        : bean;
            }
        };
    }

    private static ToolCallingManager guarded(ListableBeanFactory beans, ToolCallingManager bare) {
        ToolCallbackResolver resolver =
                beans.getBeanProvider(ToolCallbackResolver.class).getIfUnique(() -> name -> null);
        IdemTools tools = beans.getBeanProvider(IdemTools.class)
                .getIfUnique(() -> IdemTools.of(beans.getBean(Idem.class), declaring(beans)));
        return tools.manager(bare, resolver);
    }

    /** The beans with tools whose side effects are declared. */
    private static Object[] declaring(ListableBeanFactory beans) {
        List<Object> found = new ArrayList<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && declares(type)) {
                Object bean = beans.getBean(name);
                if (declares(AopUtils.getTargetClass(bean))) {
                    found.add(bean);
                }
            }
        }
        return found.toArray();
    }

    private static boolean declares(Class<?> type) {
        boolean[] found = new boolean[1];
        ReflectionUtils.doWithMethods(
                type,
                method -> found[0] |= AnnotatedElementUtils.hasAnnotation(method, Tool.class)
                        && AnnotatedElementUtils.hasAnnotation(method, Once.class));
        return found[0];
    }
}
